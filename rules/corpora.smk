# Every corpus in its canonical form: results/corpora/{corpus}/{split}.parquet


rule generate_corpus:
    input:
        unpack(inputs("generate_corpus", lambda w: {})),
    output:
        "<results>/corpora/{generated}/{split}.parquet",
    log:
        "<results>/logs/corpora/{generated}/{split}.log",
    benchmark:
        "<results>/benchmarks/corpora/{generated}/{split}.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("generate_corpus", SETTINGS.generated_split),
        code=code("generate_corpus", "generate_corpus.py"),
    script:
        "../workflow_scripts/generate_corpus.py"


rule read_corpus:
    input:
        unpack(inputs("read_corpus", RUNS.official_file)),
    output:
        "<results>/corpora/{corpus}/{split}.parquet",
    log:
        "<results>/logs/corpora/{corpus}/{split}.log",
    benchmark:
        "<results>/benchmarks/corpora/{corpus}/{split}.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("read_corpus", SETTINGS.read_split),
        code=code("read_corpus", "read_corpus.py"),
    script:
        "../workflow_scripts/read_corpus.py"
