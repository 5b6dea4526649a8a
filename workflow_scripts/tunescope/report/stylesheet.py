"""How the page looks: on screen in light and dark, on a phone, and on paper."""

STYLESHEET = """\
:root {
  --paper: #fdfdfb; --ink: #1c1d1f; --soft: #5b5f66; --line: #d9dad6; --faint: #f2f3ef;
  --accent: #0b5c8f; --warm: #a34700; --warm-back: #fdf3e7; --cool-back: #eaf3f8;

  --serif: Charter, "Bitstream Charter", Cambria, Georgia, "DejaVu Serif", serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --ink: #e4e5e3; --soft: #a0a5ad; --line: #34383e; --faint: #1e2125;
    --accent: #7cc0ec; --warm: #f0a35e; --warm-back: #2a2118; --cool-back: #16252f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 var(--serif); font-kerning: normal; text-rendering: optimizeLegibility;
}
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px;
}
.skip { position: absolute; left: -100vw; }
.skip:focus {
  left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 2;
}
.masthead, .layout { max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
.masthead { padding-top: 3.5rem; padding-bottom: 1.5rem; }
.kicker, .source, nav h2 {
  font: 600 .75rem/1.4 var(--sans); letter-spacing: .08em; text-transform: uppercase;
  color: var(--soft); margin: 0;
}
.source { text-transform: none; letter-spacing: .01em; font-size: .8125rem; }
h1 {
  font-size: clamp(2rem, 4.5vw, 3rem); line-height: 1.1; letter-spacing: -.015em;
  margin: .35rem 0 1rem;
}
section:first-of-type { border-top: 0; padding-top: 1.5rem; }
h2 { font-size: 1.625rem; line-height: 1.2; letter-spacing: -.01em; margin: .1rem 0 1rem; }
.lead {
  font-size: 1.1875rem; line-height: 1.5; max-width: 44rem; color: var(--soft); margin: 0;
}
.lead b, .lead cite { color: var(--ink); font-weight: 500; }
.layout { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3.5rem; }
nav { font: .875rem/1.4 var(--sans); padding-top: 2.25rem; }
nav > * { position: relative; }
nav h2 { margin-bottom: .75rem; }
nav ol { list-style: none; margin: 0; padding: 0; border-left: 2px solid var(--line); }
nav li { margin: 0; padding: .3rem 0 .3rem .9rem; }
nav a { color: var(--ink); text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
@media (min-width: 60rem) {
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; }
}
section { padding: 2.25rem 0 1.5rem; border-top: 1px solid var(--line); }
section > p, section > .findings, section > dl { max-width: 44rem; }
p { margin: 0 0 1rem; }
.claim {
  padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft);
  font-style: italic;
}
.claim b { font-style: normal; font-weight: 600; color: var(--ink); }
.note, .findings {
  font: .9375rem/1.55 var(--sans); padding: .8rem 1rem; border-radius: .4rem;
  background: var(--cool-back);
  margin: 0 0 1.25rem;
}
.note.caution { background: var(--warm-back); }
.note.caution b { color: var(--warm); }
.findings p { margin: 0 0 .35rem; color: var(--accent); }
.findings ul { margin: 0; padding-left: 1.1rem; }
.findings li + li { margin-top: .3rem; }
dl { display: grid; gap: 0; margin: 0 0 1.5rem; font: .9375rem/1.5 var(--sans); }
dl div {
  display: grid; grid-template-columns: 12rem 1fr; gap: 1rem; padding: .35rem 0;
  border-bottom: 1px solid var(--line);
}
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1.5rem 0 2rem; }
figcaption {
  font: .8438rem/1.5 var(--sans); color: var(--soft); max-width: 46rem; margin-top: .6rem;
}
figcaption p { margin: 0 0 .35rem; }
.files { font-family: var(--mono); font-size: .75rem; }
.picture img {
  display: block; max-width: 100%; height: auto; background: #fff; padding: .75rem;
  border: 1px solid var(--line); border-radius: .4rem;
}
/* A shadow at an edge behind which the table goes on. */
.scroll {
  overflow-x: auto;
  background:
    linear-gradient(to right, var(--paper) 50%, transparent) left / 2.5rem 100%,
    linear-gradient(to left, var(--paper) 50%, transparent) right / 2.5rem 100%,
    linear-gradient(to right, var(--line), transparent) left / .6rem 100%,
    linear-gradient(to left, var(--line), transparent) right / .6rem 100%;
  background-repeat: no-repeat;
  background-attachment: local, local, scroll, scroll;
}
table {
  border-collapse: collapse; font: .8438rem/1.4 var(--sans);
  font-variant-numeric: tabular-nums lining-nums;
  min-width: min(100%, 30rem);
}
caption { text-align: left; font-weight: 600; font-size: .9375rem; padding: 0 0 .6rem; }
th, td {
  padding: .4rem .7rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line);
}
th:first-child, td:first-child { padding-left: 0; }
thead th {
  font-weight: 600; color: var(--soft); vertical-align: bottom;
  border-bottom: 1.5px solid var(--soft);
}
thead tr:first-child:not(:last-child) > * { border-bottom: 0; padding-bottom: .1rem; }
thead [scope="colgroup"] { color: var(--ink); text-align: right; }
tbody th { font-weight: 500; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
td small {
  display: block; font-size: .6875rem; line-height: 1.35; color: var(--soft);
  font-weight: 400;
}
td:not(.number) small { max-width: 22rem; overflow-wrap: anywhere; white-space: normal; }
td:not(.number):has(small) { min-width: 11rem; }
.strong { font-weight: 600; }
.prose { min-width: 16rem; max-width: 30rem; }
.published { color: var(--soft); font-style: italic; }
.code, code { font-family: var(--mono); font-size: .75rem; overflow-wrap: anywhere; }
tbody tr:hover { background: var(--faint); }
details { margin: 0 0 1rem; border-top: 1px solid var(--line); }
details + details { margin-top: -1rem; }
summary {
  cursor: pointer; font: 500 .9375rem/1.5 var(--sans); padding: .55rem 0;
  color: var(--accent);
}
details > figure { margin-top: .5rem; }
pre {
  background: var(--faint); padding: 1rem; border-radius: .4rem; overflow: auto;
  line-height: 1.5; max-height: 32rem;
}
pre code { overflow-wrap: normal; }
@media (max-width: 60rem) {
  .layout { display: block; }
  nav { padding: 0 0 1.5rem; }
  nav ol { columns: 2; column-gap: 1.5rem; border: 0; }
  nav li { padding-left: 0; break-inside: avoid; }
}
@media (max-width: 36rem) {
  body { font-size: 1rem; }
  .masthead, .layout { padding-left: 1rem; padding-right: 1rem; }
  .masthead { padding-top: 2rem; }
  .lead { font-size: 1.0625rem; }
  nav ol { columns: 1; }
  dl div { grid-template-columns: 1fr; gap: 0; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --faint: #f4f4f4;
  --accent: #000;
    --warm: #000; --warm-back: #f4f4f4; --cool-back: #f4f4f4; }
  @page { margin: 18mm 16mm; }
  body { font-size: 10pt; }
  .masthead { padding: 0 0 1rem; } .layout { display: block; padding: 0; }
  nav, .skip, .files { display: none; }
  section { break-before: auto; padding: 1rem 0; }
  h2, caption, .source { break-after: avoid; }
  figure, tr, .note, .findings { break-inside: avoid; }
  figure.table { break-inside: auto; }
  .scroll { overflow: visible; }
  table { font-size: 7.5pt; } th, td { padding: .15rem .35rem; }
  td small { font-size: 6pt; }
  .scroll { background: none; }
  pre { max-height: none; white-space: pre-wrap; }
  a { text-decoration: none; }
}
"""
