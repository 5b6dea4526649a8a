"""JSON schema of the configuration, for editors; `make schema` writes configs/schema.json."""

import json

from tunescope.config.root import Config


def schema_text() -> str:
    """JSON schema of config.yaml, with each key's explanation."""
    schema = Config.model_json_schema()
    schema["title"] = "tunescope configuration"
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
