"""The one kind of error a user is meant to read."""

from pathlib import Path


class InputError(ValueError):
    """Something the user gave is wrong; says where, what was found and what to do.

    Scripts print it without a traceback: it is about the input, not about the code.

    Args:
        where: the file, `file:line`, or key of the configuration.
        found: what is wrong, with the value found.
        remedy: what to do about it.
    """

    def __init__(self, where: str | Path, found: str, remedy: str) -> None:
        self.where, self.found, self.remedy = str(where), found, remedy
        super().__init__(f"{where}: {found}. {remedy}")

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        """Keep the three parts when the error crosses a process boundary."""
        return type(self), (self.where, self.found, self.remedy)
