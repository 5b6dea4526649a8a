# Representational similarity of fine-tuned and pre-trained encoders (merchant2020, section 5):
# results/{encoder}/similarity/{run}/{stimuli}.h5


def compared_stores(w):
    folder = f"{RESULTS}/{w.encoder}/activations"
    return {
        "base": f"{folder}/base/{w.stimuli}.h5",
        "tuned": f"{folder}/{w.run}/{w.stimuli}.h5",
    }


rule compare_representations:
    input:
        unpack(inputs("compare_representations", compared_stores)),
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
        settings=settings(
            "compare_representations", lambda w: CONFIG.similarity.model_dump()
        ),
        code=code("compare_representations", "compare_representations.py"),
    script:
        "../workflow_scripts/compare_representations.py"


def comparisons():
    """Each comparison of the experiment, with what tables say about it."""
    chosen = CONFIG.experiments.similarity
    for encoder in ENCODERS:
        for task in available("tasks", chosen.tasks):
            for seed in CONFIG.seeds_of(encoder):
                for stimuli in available("stimuli", chosen.stimuli):
                    if domain := CONFIG.domain(task, stimuli):
                        yield {
                            "encoder": encoder,
                            "pretraining": CONFIG.pretraining_seed(encoder),
                            "run": f"{task}-s{seed}",
                            "task": task,
                            "seed": seed,
                            "corpus": stimuli,
                            "domain": domain,
                        }


rule tabulate_similarity:
    input:
        unpack(
            inputs(
                "tabulate_similarity",
                lambda w: {
                    "comparisons": [
                        f"{RESULTS}/{c['encoder']}/similarity/{c['run']}/{c['corpus']}.h5"
                        for c in comparisons()
                    ]
                },
            )
        ),
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
        settings=settings(
            "tabulate_similarity",
            lambda w: {
                "comparisons": list(comparisons()),
                "confidence": CONFIG.similarity.confidence,
                "seed": CONFIG.similarity.seed,
            },
        ),
        code=code("tabulate_similarity", "tabulate_similarity.py"),
    script:
        "../workflow_scripts/tabulate_similarity.py"
