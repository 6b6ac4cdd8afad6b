"""What every stage that a test writes must pass."""

from __future__ import annotations

from pathlib import Path

from pxr import Usd, UsdValidation

from roboracer_arena.usd import check_stage


def assert_valid_stage(path: Path, *, asset_validator: bool = False) -> None:
    """Fail unless our gates, USD's validators and, if asked for, NVIDIA's find nothing."""
    assert [str(finding) for finding in check_stage(path)] == []
    assert _usd_findings(path) == []
    if asset_validator:
        assert _asset_validator_findings(path) == []


def _usd_findings(path: Path) -> list[str]:
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    stage = Usd.Stage.Open(str(path))
    errors = UsdValidation.ValidationContext(validators).Validate(stage)
    return [f"{error.GetName()}: {error.GetMessage()}" for error in errors]


def _asset_validator_findings(path: Path) -> list[str]:
    from omni.asset_validator import ValidationEngine

    results = ValidationEngine().validate(str(path))
    return [
        f"{issue.severity.name} {issue.rule.__name__}: {issue.message} ({issue.at})"
        for issue in results.issues()
    ]
