# Encoders as they come, and their random counterparts: results/{encoder}/models/{run}/


rule fetch_encoder:
    input:
        unpack(inputs("fetch_encoder", RUNS.own_encoder)),
    output:
        **encoder_files("<results>/{fetched}/models/base"),
    log:
        "<results>/logs/{fetched}/models/base.log",
    benchmark:
        "<results>/benchmarks/{fetched}/models/base.tsv"
    retries: 1  # a download may break off
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("fetch_encoder", SETTINGS.fetched_encoder),
        code=code("fetch_encoder", "fetch_encoder.py"),
    script:
        "../workflow_scripts/fetch_encoder.py"


rule randomise_encoder:
    input:
        unpack(inputs("randomise_encoder", lambda w: RUNS.encoder(w.encoder))),
    output:
        **encoder_files("<results>/{encoder}/models/random-s{seed}"),
    log:
        "<results>/logs/{encoder}/models/random-s{seed}.log",
    benchmark:
        "<results>/benchmarks/{encoder}/models/random-s{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("randomise_encoder", lambda w: {"seed": int(w.seed)}),
        code=code("randomise_encoder", "randomise_encoder.py"),
    script:
        "../workflow_scripts/randomise_encoder.py"
