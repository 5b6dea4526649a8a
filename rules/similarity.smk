# Representational similarity of fine-tuned and pre-trained encoders (merchant2020, section 5):
# results/{encoder}/similarity/{run}/{stimuli}.h5


rule compare_representations:
    input:
        unpack(inputs("compare_representations", RUNS.compared_stores)),
    output:
        "<results>/{encoder}/similarity/{run}/{stimuli}.h5",
    log:
        "<results>/logs/{encoder}/similarity/{run}/{stimuli}.log",
    benchmark:
        "<results>/benchmarks/{encoder}/similarity/{run}/{stimuli}.tsv"
    priority: 10  # a store is deleted when its readers are done, so they come before other dumps
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings("compare_representations", SETTINGS.comparison),
        code=code("compare_representations", "compare_representations.py"),
    script:
        "../workflow_scripts/compare_representations.py"


rule tabulate_similarity:
    input:
        unpack(inputs("tabulate_similarity", RUNS.compared)),
    output:
        values="<results>/tables/rsa.csv",
        summary="<results>/tables/summary_rsa.csv",
    log:
        "<results>/logs/tables/rsa.log",
    benchmark:
        "<results>/benchmarks/tables/rsa.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("tabulate_similarity", SETTINGS.similarity_table),
        code=code("tabulate_similarity", "tabulate_similarity.py"),
    script:
        "../workflow_scripts/tabulate_similarity.py"
