# Fine-tuned encoders with what they predict, from pre-trained and from random initialisation:
# results/{encoder}/models/{task}-s{seed}/, .../{task}-scratch-s{seed}/


SCORED = available("tasks", CONFIG.experiments.finetuning.tasks)


def task_splits(task):
    """Training split and evaluation split of a task."""
    folder = f"{RESULTS}/corpora/{CONFIG.tasks[task].corpus}"
    return {
        "train": f"{folder}/train.parquet",
        "evaluation": f"{folder}/{CONFIG.tasks[task].evaluation_split}.parquet",
    }


def finetuning_inputs(w):
    start = f"random-s{w.seed}" if w.scratch else "base"
    return {**encoder_files(models(w.encoder, start)), **task_splits(w.task)}


rule finetune:
    input:
        unpack(inputs("finetune", finetuning_inputs)),
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
        settings=settings(
            "finetune",
            lambda w: {
                "finetuning": CONFIG.finetuning_of(w.task).model_dump(),
                "seed": int(w.seed),
            },
        ),
        code=code("finetune", "finetune.py"),
    script:
        "../workflow_scripts/finetune.py"


def untrained_inputs(w):
    splits = {task: task_splits(task)["evaluation"] for task in SCORED}
    return {
        **encoder_files(models(w.encoder, "base")),
        "evaluation": list(splits.values()),
    }


rule score_untrained_heads:
    input:
        unpack(inputs("score_untrained_heads", untrained_inputs)),
    output:
        expand(
            "<results>/{{encoder}}/predictions/finetuning/{task}-untrained.h5",
            task=SCORED,
        ),
    log:
        "<results>/logs/{encoder}/predictions/untrained.log",
    benchmark:
        "<results>/benchmarks/{encoder}/predictions/untrained.tsv"
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings(
            "score_untrained_heads",
            lambda w: {
                "finetuning": {
                    task: CONFIG.finetuning_of(task).model_dump() for task in SCORED
                },
                "heads": CONFIG.experiments.finetuning.untrained_heads,
            },
        ),
        code=code("score_untrained_heads", "score_untrained_heads.py"),
    script:
        "../workflow_scripts/score_untrained_heads.py"


def finetuning_runs():
    """Each scored run of the experiment, with what tables say about it."""
    chosen = CONFIG.experiments.finetuning
    for encoder in ENCODERS:
        for task in SCORED:
            names = {
                "encoder": encoder,
                "pretraining": CONFIG.pretraining_seed(encoder),
                "task": task,
            }
            for seed in CONFIG.seeds_of(encoder):
                yield {
                    **names,
                    "run": f"{task}-s{seed}",
                    "seed": seed,
                    "initialisation": "pretrained",
                }
                if chosen.random_initialisation:
                    run = f"{task}-scratch-s{seed}"
                    yield {
                        **names,
                        "run": run,
                        "seed": seed,
                        "initialisation": "random",
                    }
            if chosen.untrained_heads:
                run = f"{task}-untrained"
                yield {**names, "run": run, "seed": None, "initialisation": "none"}


rule tabulate_finetuning:
    input:
        unpack(
            inputs(
                "tabulate_finetuning",
                lambda w: {
                    "predictions": [
                        f"{RESULTS}/{run['encoder']}/predictions/finetuning/{run['run']}.h5"
                        for run in finetuning_runs()
                    ]
                },
            )
        ),
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
        settings=settings(
            "tabulate_finetuning",
            lambda w: {
                "runs": list(finetuning_runs()),
                "tasks": {
                    name: CONFIG.tasks[name].model_dump(
                        include={"metrics", "positive_label"}
                    )
                    for name in SCORED
                },
            },
        ),
        code=code("tabulate_finetuning", "tabulate_finetuning.py"),
    script:
        "../workflow_scripts/tabulate_finetuning.py"
