# Fine-tuned encoders with what they predict, from pre-trained and from random initialisation:
# results/{encoder}/models/{task}-s{seed}/, .../{task}-scratch-s{seed}/


rule finetune:
    input:
        unpack(inputs("finetune", RUNS.finetuning_inputs)),
    output:
        **encoder_files("<results>/{encoder}/models/{task}{scratch}-s{seed}"),
        head="<results>/{encoder}/models/{task}{scratch}-s{seed}/head.safetensors",
        head_settings="<results>/{encoder}/models/{task}{scratch}-s{seed}/head.json",
        losses="<results>/{encoder}/models/{task}{scratch}-s{seed}/losses.csv",
        predictions="<results>/{encoder}/predictions/finetuning/{task}{scratch}-s{seed}.h5",
    log:
        "<results>/logs/{encoder}/models/{task}{scratch}-s{seed}.log",
    benchmark:
        "<results>/benchmarks/{encoder}/models/{task}{scratch}-s{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings("finetune", SETTINGS.finetuned_run),
        code=code("finetune", "finetune.py"),
    script:
        "../workflow_scripts/finetune.py"


rule score_untrained_heads:
    input:
        unpack(inputs("score_untrained_heads", RUNS.untrained_inputs)),
    output:
        expand(
            "<results>/{{encoder}}/predictions/finetuning/{task}-untrained.h5",
            task=RUNS.scored,
        ),
    log:
        "<results>/logs/{encoder}/predictions/untrained.log",
    benchmark:
        "<results>/benchmarks/{encoder}/predictions/untrained.tsv"
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings("score_untrained_heads", SETTINGS.untrained_heads),
        code=code("score_untrained_heads", "score_untrained_heads.py"),
    script:
        "../workflow_scripts/score_untrained_heads.py"


rule tabulate_finetuning:
    input:
        unpack(inputs("tabulate_finetuning", RUNS.predictions)),
    output:
        scores="<results>/tables/finetuning.csv",
        summary="<results>/tables/summary_finetuning.csv",
    log:
        "<results>/logs/tables/finetuning.log",
    benchmark:
        "<results>/benchmarks/tables/finetuning.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("tabulate_finetuning", SETTINGS.finetuning_table),
        code=code("tabulate_finetuning", "tabulate_finetuning.py"),
    script:
        "../workflow_scripts/tabulate_finetuning.py"
