# The laboratory's encoders, pre-trained here by masked language modelling on a generated language.


rule pretrain_encoder:
    input:
        unpack(inputs("pretrain_encoder", RUNS.pretraining_text)),
    output:
        **encoder_files("<results>/{laboratory}/models/base"),
        losses="<results>/{laboratory}/models/base/losses.csv",
    log:
        "<results>/logs/{laboratory}/models/base.log",
    benchmark:
        "<results>/benchmarks/{laboratory}/models/base.tsv"
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings("pretrain_encoder", SETTINGS.pretrained_encoder),
        code=code("pretrain_encoder", "pretrain_encoder.py"),
    script:
        "../workflow_scripts/pretrain_encoder.py"
