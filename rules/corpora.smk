# Every corpus in its canonical form: results/corpora/{corpus}/{split}.parquet


def official_file(w):
    """The user's file of a split; none for a data set of the hub."""
    files = CONFIG.corpora[w.corpus].files or {}
    return {"file": CONFIG.located(files[w.split])} if w.split in files else {}


def generated_part(w):
    """What one split of a generated corpus depends on."""
    generated = CONFIG.corpora[w.generated].generated
    language = CONFIG.languages[generated.language].model_dump()
    return {"language": language, "part": generated.part, "split": w.split}


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
        settings=settings("generate_corpus", generated_part),
        code=code("generate_corpus", "generate_corpus.py"),
    script:
        "../workflow_scripts/generate_corpus.py"


rule read_corpus:
    input:
        unpack(inputs("read_corpus", official_file)),
    output:
        "<results>/corpora/{corpus}/{split}.parquet",
    log:
        "<results>/logs/corpora/{corpus}/{split}.log",
    benchmark:
        "<results>/benchmarks/corpora/{corpus}/{split}.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings(
            "read_corpus",
            lambda w: {
                "corpus": CONFIG.corpora[w.corpus].model_dump(),
                "split": w.split,
            },
        ),
        code=code("read_corpus", "read_corpus.py"),
    script:
        "../workflow_scripts/read_corpus.py"
