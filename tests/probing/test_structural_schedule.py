import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tunescope.config.structural import StructuralProbeSettings
from tunescope.probing.structural_schedule import Schedule


def test_a_schedule_keeps_stops_and_lowers():
    schedule = Schedule(StructuralProbeSettings(patience=3))
    kept = [schedule.observe(loss) for loss in (1.0, 0.5, 0.49992, 0.6, 0.49)]
    assert kept == [True, True, False, False, True]
    assert schedule.rates == pytest.approx([1e-3, 1e-3, 1e-3, 1e-3, 1e-4])
    assert not schedule.stopped
    for _ in range(3):
        schedule.observe(0.5)
    assert schedule.stopped
    assert schedule.trajectory.best_epoch == 4
    with pytest.raises(FloatingPointError, match="nan"):
        schedule.observe(float("nan"))


@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=30))
def test_rates_are_those_of_pytorch(losses):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.1, patience=0)
    schedule = Schedule(StructuralProbeSettings())
    for loss in losses:
        schedule.observe(loss)
        plateau.step(loss)
        assert schedule.rate == pytest.approx(optimizer.param_groups[0]["lr"])
