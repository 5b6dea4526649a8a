"""How every test runs: the same examples each time, and no judgement by the clock."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "tunescope",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tunescope")
