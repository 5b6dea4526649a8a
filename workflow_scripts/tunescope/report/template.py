"""The page's template (Jinja).

It stands in a module, and not in a file beside it, so that the fingerprints of code, which follow
imports, see it change.
"""

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Reproduction of merchant2020 and kovaleva2019, every \
result beside the published one.">
<title>{{ title }}: a reproduction</title>
<style>
{{ stylesheet | safe }}
</style>
</head>
<body>
<a class="skip" href="#content">Skip to the results</a>
<header class="masthead">
  <p class="kicker">Reproduction report</p>
  <h1>{{ title }}</h1>
  <p class="lead">The experiments of two papers, run again, with every number beside the one
  that was published: <cite>What Happens To BERT Embeddings During Fine-tuning?</cite> (Merchant,
  Rahimtoroghi, Pavlick and Tenney, 2020; <b>merchant2020</b>) and <cite>Revealing the Dark Secrets
  of BERT</cite> (Kovaleva, Romanov, Rogers and Rumshisky, 2019; <b>kovaleva2019</b>).</p>
</header>
<div class="layout">
<nav aria-label="Contents">
  <h2>Contents</h2>
  <ol>
  {% for section in sections %}
    <li><a href="#{{ section.anchor }}">{{ section.title }}</a></li>
  {% endfor %}
  </ol>
</nav>
<main id="content">
{% macro text(value) %}
{%- for line in value.split("\\n") %}{{ line }}{% if not loop.last %}<br>{% endif %}{% endfor -%}
{% endmacro %}
{% macro cell(value, tag, attributes="") %}
{% if value is string %}
<{{ tag }}{{ attributes | safe }}>{{ value }}</{{ tag }}>
{%- else %}
<{{ tag }}{{ attributes | safe }} class="{{ 'number ' if value.number }}{{ value.look }}">
{%- if value.link %}<a href="#{{ value.link }}">{{ value.text }}</a>
{%- else %}{{ value.text }}{% endif %}
{%- if value.detail %}<small>{{ text(value.detail) }}</small>{% endif -%}
</{{ tag }}>
{%- endif %}
{% endmacro %}
{% macro table(block) %}
<figure class="table">
<div class="scroll" tabindex="0" role="region" aria-label="{{ block.caption }}">
<table>
<caption>{{ block.caption }}</caption>
<thead>
{% if block.groups %}
<tr>
{% for label, span in block.groups %}
{% if label %}
<th scope="colgroup" colspan="{{ span }}">{{ label }}</th>
{% else %}
<td colspan="{{ span }}"></td>
{% endif %}
{% endfor %}
</tr>
{% endif %}
<tr>
{% for column in block.columns %}
<th scope="col"{% if loop.index0 >= block.headers and block.rows and block.rows[0][loop.index0] is \
not string and block.rows[0][loop.index0].number %} class="number"{% endif %}>{{ column }}</th>
{% endfor %}
</tr>
</thead>
<tbody>
{% for row in block.rows %}
<tr>
{% for value in row %}
{% if loop.index0 < block.headers %}
{{ cell(value, "th", ' scope="row"') }}
{% else %}
{{ cell(value, "td") }}
{% endif %}
{% endfor %}
</tr>
{% endfor %}
</tbody>
</table>
</div>
{% if block.notes %}
<figcaption>
{% for note in block.notes %}
<p>{{ note }}</p>
{% endfor %}
</figcaption>
{% endif %}
</figure>
{% endmacro %}
{% for section in sections %}
<section id="{{ section.anchor }}" aria-labelledby="{{ section.anchor }}-title">
<header>
{% if section.source %}
<p class="source">{{ section.source }}</p>
{% endif %}
<h2 id="{{ section.anchor }}-title">{{ section.title }}</h2>
</header>
{% if section.claim %}
<p class="claim"><b>The paper says.</b> {{ section.claim }}</p>
{% endif %}
{% for block in section.blocks %}
{% if block.kind == "paragraph" %}
<p>{{ block.text }}</p>
{% elif block.kind == "note" %}
<p class="note{{ ' caution' if block.caution }}"><b>{{ block.label }}.</b> {{ block.text }}</p>
{% elif block.kind == "findings" %}
<div class="findings">
<p><b>Found here</b></p>
<ul>
{% for sentence in block.sentences %}
<li>{{ sentence }}</li>
{% endfor %}
</ul>
</div>
{% elif block.kind == "facts" %}
<dl>
{% for term, value in block.rows %}
<div><dt>{{ term }}</dt><dd>{{ value }}</dd></div>
{% endfor %}
</dl>
{% elif block.kind == "code" %}
{% if block.summary %}
<details>
<summary>{{ block.summary }}</summary>
<pre tabindex="0"><code>{{ block.text }}</code></pre>
</details>
{% else %}
<pre tabindex="0"><code>{{ block.text }}</code></pre>
{% endif %}
{% elif block.kind == "picture" %}
<figure class="picture">
<img src="{{ block.source }}" alt="{{ block.alt }}"\
{% if block.width %} width="{{ block.width }}"{% endif %}>
<figcaption><p>{{ block.caption }}</p>{% if block.files %}<p class="files">Files: \
{{ block.files }}</p>{% endif %}</figcaption>
</figure>
{% elif block.kind == "table" %}
{% if block.folded %}
<details>
<summary>{{ block.folded }}</summary>
{{ table(block) }}
</details>
{% else %}
{{ table(block) }}
{% endif %}
{% endif %}
{% endfor %}
</section>
{% endfor %}
</main>
</div>
</body>
</html>
"""
