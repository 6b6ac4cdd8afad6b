from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.usd import validity


@pytest.fixture
def assert_valid_stage() -> Callable[..., None]:
    """Check a stage file by our gates, USD's validators and optionally NVIDIA's."""
    return validity.assert_valid_stage
