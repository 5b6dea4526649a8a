# Tables of what went in, figures in the papers' layouts, and the report page.


def corpus_splits():
    """Every split of every corpus that the run can use, in the order of the configuration."""
    for corpus in available("corpora"):
        for split in CONFIG.corpora[corpus].split_names:
            yield {"corpus": corpus, "split": split}


rule tabulate_corpora:
    input:
        unpack(
            inputs(
                "tabulate_corpora",
                lambda w: {
                    "splits": [
                        f"{RESULTS}/corpora/{s['corpus']}/{s['split']}.parquet"
                        for s in corpus_splits()
                    ]
                },
            )
        ),
    output:
        "<results>/tables/corpora.csv",
    log:
        "<results>/logs/tables/corpora.log",
    benchmark:
        "<results>/benchmarks/tables/corpora.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings(
            "tabulate_corpora", lambda w: {"splits": list(corpus_splits())}
        ),
        code=code("tabulate_corpora", "tabulate_corpora.py"),
    script:
        "../workflow_scripts/tabulate_corpora.py"


rule report:
    input:
        unpack(
            inputs(
                "report",
                lambda w: {
                    "tables": [
                        f"{RESULTS}/tables/{name}.csv"
                        for name in (
                            "finetuning",
                            "summary_finetuning",
                            "rsa",
                            "summary_rsa",
                            "corpora",
                        )
                    ]
                },
            )
        ),
    output:
        "<results>/report.html",
    log:
        "<results>/logs/report.log",
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("report", lambda w: {}),
        code=code("report", "report.py"),
    script:
        "../workflow_scripts/report.py"
