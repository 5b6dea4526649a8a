# Hidden states of a run on stimuli; a store lives only while something reads it:
# results/{encoder}/activations/{run}/{stimuli}.h5


rule dump_hidden_states:
    input:
        unpack(inputs("dump_hidden_states", RUNS.dump_inputs)),
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
        settings=settings("dump_hidden_states", SETTINGS.dumped_stimuli),
        code=code("dump_hidden_states", "dump_hidden_states.py"),
    script:
        "../workflow_scripts/dump_hidden_states.py"
