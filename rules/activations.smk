# Hidden states of a run on stimuli; a store lives only while something reads it:
# results/{encoder}/activations/{run}/{stimuli}.h5


def dump_inputs(w):
    stimuli = CONFIG.stimuli[w.stimuli]
    corpus = f"{RESULTS}/corpora/{stimuli.corpus}/{stimuli.split}.parquet"
    return {**encoder_files(models(w.encoder, w.run)), "corpus": corpus}


rule dump_hidden_states:
    input:
        unpack(inputs("dump_hidden_states", dump_inputs)),
    output:
        temp("<results>/{encoder}/activations/{run}/{stimuli}.h5"),
    log:
        "<results>/logs/{encoder}/activations/{run}/{stimuli}.log",
    benchmark:
        "<results>/benchmarks/{encoder}/activations/{run}/{stimuli}.tsv"
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings(
            "dump_hidden_states",
            lambda w: {"stimuli": CONFIG.stimuli[w.stimuli].model_dump()},
        ),
        code=code("dump_hidden_states", "dump_hidden_states.py"),
    script:
        "../workflow_scripts/dump_hidden_states.py"
