"""What every section of the settings shares."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Immutable settings that refuse keys they do not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
