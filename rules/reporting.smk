# Tables of what went in, figures in the papers' layouts, and the report page.


rule tabulate_corpora:
    input:
        unpack(inputs("tabulate_corpora", RUNS.all_splits)),
    output:
        "<results>/tables/corpora.csv",
    log:
        "<results>/logs/tables/corpora.log",
    benchmark:
        "<results>/benchmarks/tables/corpora.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("tabulate_corpora", SETTINGS.corpora_table),
        code=code("tabulate_corpora", "tabulate_corpora.py"),
    script:
        "../workflow_scripts/tabulate_corpora.py"


rule draw_finetuning_scores:
    input:
        unpack(inputs("draw_finetuning_scores", RUNS.finetuning_tables)),
    output:
        multiext("<results>/figures/kovaleva2019_table1", ".pdf", ".png"),
    log:
        "<results>/logs/figures/kovaleva2019_table1.log",
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("draw_finetuning_scores", SETTINGS.none),
        code=code("draw_finetuning_scores", "draw_finetuning_scores.py"),
    script:
        "../workflow_scripts/draw_finetuning_scores.py"


rule draw_rsa:
    input:
        unpack(inputs("draw_rsa", RUNS.rsa_tables)),
    output:
        multiext("<results>/figures/merchant2020_{figure}", ".pdf", ".png"),
    log:
        "<results>/logs/figures/merchant2020_{figure}.log",
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("draw_rsa", SETTINGS.figure),
        code=code("draw_rsa", "draw_rsa.py"),
    script:
        "../workflow_scripts/draw_rsa.py"


rule report:
    input:
        unpack(inputs("report", RUNS.reported)),
    output:
        page="<results>/report.html",
        ledger="<results>/tables/ledger.csv",
    log:
        "<results>/logs/report.log",
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("report", SETTINGS.report),
        code=code("report", "report.py"),
    script:
        "../workflow_scripts/report.py"
