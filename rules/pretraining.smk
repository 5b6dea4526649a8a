# The laboratory's encoders, pre-trained here by masked language modelling on a generated language.


def pretraining_text(w):
    """The pre-training text of an encoder's language."""
    language = CONFIG.encoders[w.laboratory].pretrain.language
    names = [
        n
        for n in GENERATED
        if CONFIG.corpora[n].generated
        == Generated(language=language, part="pretraining")
    ]
    if not names:
        raise WorkflowError(
            f"encoders.{w.laboratory}: no corpus is the part 'pretraining' of language {language}; "
            "define one under corpora"
        )
    return {"text": f"{RESULTS}/corpora/{names[0]}/train.parquet"}


rule pretrain_encoder:
    input:
        unpack(inputs("pretrain_encoder", pretraining_text)),
    output:
        **encoder_files("<results>/{laboratory}/models/base"),
        origin="<results>/{laboratory}/models/base/origin.json",
        losses="<results>/{laboratory}/models/base/losses.csv",
    log:
        "<results>/logs/{laboratory}/models/base.log",
    benchmark:
        "<results>/benchmarks/{laboratory}/models/base.tsv"
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings(
            "pretrain_encoder",
            lambda w: {
                "pretraining": CONFIG.pretraining.model_dump(),
                "seed": CONFIG.encoders[w.laboratory].pretrain.seed,
            },
        ),
        code=code("pretrain_encoder", "pretrain_encoder.py"),
    script:
        "../workflow_scripts/pretrain_encoder.py"
