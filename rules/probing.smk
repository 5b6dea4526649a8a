# Probes of frozen hidden states (merchant2020, section 4): edge probes of a run on a corpus,
# their control tasks, and online codes: results/{encoder}/predictions/{experiment}/{run}/{corpus}.h5


rule train_edge_probe:
    input:
        unpack(inputs("train_edge_probe", RUNS.probed_inputs)),
    output:
        "<results>/{encoder}/predictions/edge_probing/{run}/{probed}.h5",
    log:
        "<results>/logs/{encoder}/predictions/edge_probing/{run}/{probed}.log",
    benchmark:
        "<results>/benchmarks/{encoder}/predictions/edge_probing/{run}/{probed}.tsv"
    priority: 10  # a store is deleted when its readers are done, so they come before other dumps
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings("train_edge_probe", SETTINGS.edge_probes),
        code=code("train_edge_probe", "train_edge_probe.py"),
    script:
        "../workflow_scripts/train_edge_probe.py"


rule tabulate_edge_probing:
    input:
        unpack(inputs("tabulate_edge_probing", RUNS.edge_predictions)),
    output:
        values="<results>/tables/edge_probing.csv",
        summary="<results>/tables/summary_edge_probing.csv",
        mixes="<results>/tables/edge_probing_mix.csv",
    log:
        "<results>/logs/tables/edge_probing.log",
    benchmark:
        "<results>/benchmarks/tables/edge_probing.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("tabulate_edge_probing", SETTINGS.edge_probing_table),
        code=code("tabulate_edge_probing", "tabulate_edge_probing.py"),
    script:
        "../workflow_scripts/tabulate_edge_probing.py"


rule train_control_probe:
    input:
        unpack(inputs("train_control_probe", RUNS.probed_inputs)),
    output:
        "<results>/{encoder}/predictions/control_tasks/{run}/{probed}.h5",
    log:
        "<results>/logs/{encoder}/predictions/control_tasks/{run}/{probed}.log",
    benchmark:
        "<results>/benchmarks/{encoder}/predictions/control_tasks/{run}/{probed}.tsv"
    priority: 10  # a store is deleted when its readers are done, so they come before other dumps
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings("train_control_probe", SETTINGS.control_probes),
        code=code("train_control_probe", "train_control_probe.py"),
    script:
        "../workflow_scripts/train_control_probe.py"


rule tabulate_control_tasks:
    input:
        unpack(inputs("tabulate_control_tasks", RUNS.control_predictions)),
    output:
        values="<results>/tables/control_tasks.csv",
        summary="<results>/tables/summary_control_tasks.csv",
    log:
        "<results>/logs/tables/control_tasks.log",
    benchmark:
        "<results>/benchmarks/tables/control_tasks.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("tabulate_control_tasks", SETTINGS.control_tasks_table),
        code=code("tabulate_control_tasks", "tabulate_control_tasks.py"),
    script:
        "../workflow_scripts/tabulate_control_tasks.py"


rule code_labels:
    input:
        unpack(inputs("code_labels", RUNS.probed_inputs)),
    output:
        "<results>/{encoder}/predictions/online_codes/{run}/{probed}.h5",
    log:
        "<results>/logs/{encoder}/predictions/online_codes/{run}/{probed}.log",
    benchmark:
        "<results>/benchmarks/{encoder}/predictions/online_codes/{run}/{probed}.tsv"
    priority: 10  # a store is deleted when its readers are done, so they come before other dumps
    conda:
        "../envs/environment.yaml"
    threads: CONFIG.threads
    params:
        settings=settings("code_labels", SETTINGS.online_codes),
        code=code("code_labels", "code_labels.py"),
    script:
        "../workflow_scripts/code_labels.py"


rule tabulate_online_codes:
    input:
        unpack(inputs("tabulate_online_codes", RUNS.online_codes)),
    output:
        values="<results>/tables/online_codes.csv",
        summary="<results>/tables/summary_online_codes.csv",
    log:
        "<results>/logs/tables/online_codes.log",
    benchmark:
        "<results>/benchmarks/tables/online_codes.tsv"
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("tabulate_online_codes", SETTINGS.online_codes_table),
        code=code("tabulate_online_codes", "tabulate_online_codes.py"),
    script:
        "../workflow_scripts/tabulate_online_codes.py"
