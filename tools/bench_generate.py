"""Compare the constructors as the paper's Table IV does, or try random specifications.

python tools/bench_generate.py                     ten specifications, three seeds, all three
python tools/bench_generate.py --only lattice      one of them
python tools/bench_generate.py --random 1000       random feasible specifications instead
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from roboracer_arena.generate.baselines import EvolutionConstructor, SamplingConstructor
from roboracer_arena.generate.construct import MAX_CANDIDATES, Constructor
from roboracer_arena.generate.defaults import (
    ResolvedSpec,
    comfortable_lap,
    published_capacity,
    resolve_defaults,
)
from roboracer_arena.generate.lattice.constructor import LatticeConstructor
from roboracer_arena.generate.outcome import Acceptance, GenerationFailure, Outcome
from roboracer_arena.generate.pipeline import generate
from roboracer_arena.generate.screen import screen
from roboracer_arena.generate.settings import TrackSettings
from roboracer_arena.generate.spec import FEATURES, Feature, TrackSpec
from roboracer_arena.generate.validator import validate

SETTINGS = TrackSettings()
SEEDS = (0, 1, 2)
SPECS = (
    TrackSpec(name="pocket", lap_length_m=25, corridor_width_m=1.0, hall_x_m=10, hall_y_m=8,
              hairpins=1, chicanes=0, sweepers=0),
    TrackSpec(name="club", lap_length_m=38, hall_x_m=15, hall_y_m=12, hairpins=2, chicanes=1,
              sweepers=0, direction="cw"),
    TrackSpec(name="figure", lap_length_m=45, hall_x_m=20, hall_y_m=15, hairpins=3, chicanes=1,
              sweepers=0),
    TrackSpec(name="ordered", lap_length_m=60, hall_x_m=20, hall_y_m=15, hairpins=2, chicanes=1,
              sweepers=1, feature_order=("hairpin", "sweeper", "chicane", "hairpin")),
    TrackSpec(name="drag", lap_length_m=55, hall_x_m=25, hall_y_m=12, hairpins=2, chicanes=0,
              sweepers=0, longest_straight_m=14),
    TrackSpec(name="flowing", lap_length_m=70, hall_x_m=24, hall_y_m=18, hairpins=0, chicanes=1,
              sweepers=2, min_radius_m=1.4),
    TrackSpec(name="technical", lap_length_m=80, corridor_width_m=1.3, hall_x_m=22, hall_y_m=16,
              hairpins=4, chicanes=2, sweepers=0),
    TrackSpec(name="wide", lap_length_m=100, corridor_width_m=2.0, hall_x_m=30, hall_y_m=20,
              hairpins=2, chicanes=1, sweepers=1, min_radius_m=1.6, longest_straight_m=10),
    TrackSpec(name="long", lap_length_m=130, corridor_width_m=1.4, hall_x_m=32, hall_y_m=22,
              hairpins=3, chicanes=2, sweepers=2, feature_order=("sweeper", "hairpin", "chicane"),
              direction="cw"),
    TrackSpec(name="grand", lap_length_m=160, hall_x_m=40, hall_y_m=25, hairpins=4, chicanes=2,
              sweepers=2, longest_straight_m=15,
              feature_order=("hairpin", "hairpin", "chicane", "sweeper", "hairpin", "chicane",
                             "hairpin", "sweeper")),
)  # fmt: skip
"""Ten specifications of the project's own, from 10 x 8 m to 40 x 25 m."""


@dataclass(frozen=True)
class Method:
    """One constructor of the comparison."""

    name: str
    make: Callable[[ResolvedSpec, TrackSettings, int], Constructor]
    candidates: int
    """Candidates per trial: the lattice samples, the others propose once."""


METHODS = {
    "lattice": Method("lattice", LatticeConstructor, MAX_CANDIDATES),
    "evolution": Method("DE optimiser", EvolutionConstructor, 1),
    "sampling": Method("random sampling", SamplingConstructor, 1),
}


@dataclass
class Tally:
    """What one method achieved."""

    trials: int = 0
    built: int = 0
    valid: int = 0
    seconds: float = 0.0

    def row(self, name: str) -> str:
        return (
            f"| {name:16} | {self.valid}/{self.trials} | {self.valid}/{self.built} "
            f"| {self.seconds / max(1, self.trials):.2f} |"
        )


def trial(method: Method, spec: ResolvedSpec, seed: int, tally: Tally) -> Outcome:
    """Run one trial on one core, validation included."""
    began = time.process_time()
    outcome = generate(
        spec,
        seed=seed,
        constructor=method.make(spec, SETTINGS, seed),
        candidates=method.candidates,
    )
    tally.seconds += time.process_time() - began
    tally.trials += 1
    if isinstance(outcome, Acceptance):
        tally.valid += 1
        tally.built += 1
        # The pipeline never hands out what the validator would refuse; look again all the same.
        assert validate(outcome.track, spec.values).accepted
    elif isinstance(outcome, GenerationFailure) and method.candidates == 1:
        tally.built += outcome.built
    return outcome


def compare(names: list[str]) -> int:
    """Print the table of all methods over all specifications and seeds."""
    print("| constructor      | valid/trials | valid/built | CPU s/trial |")
    print("|---|---|---|---|")
    failed = 0
    for name in names:
        tally = Tally()
        for spec in SPECS:
            for seed in SEEDS:
                outcome = trial(METHODS[name], resolve_defaults(spec), seed, tally)
                if not isinstance(outcome, Acceptance) and name == "lattice":
                    failed += 1
                    print(f"not built: {spec.name}, seed {seed}", file=sys.stderr)
        print(tally.row(METHODS[name].name), flush=True)
    return failed


def random_specs(count: int, seed: int) -> Iterator[ResolvedSpec]:
    """Yield specifications that leave room.

    The lap is one that the defaults would call comfortable for the features and the straight, at
    most half of the hall's published capacity, and the hall is wide enough for three corridors
    side by side. All that may still ask for what no track has: the screen's word counts.
    """
    draw = random.Random(seed)
    found = 0
    while found < count:
        spec = resolve_defaults(_wishes(draw))
        radius, width = spec.reference_radius, spec.corridor_width_m
        hall = (spec.hall_x_m, spec.hall_y_m)
        comfortable = comfortable_lap(
            spec.hairpins,
            spec.chicanes,
            spec.sweepers,
            radius=radius,
            straight=spec.longest_straight_m,
        )
        roomy = spec.lap_length_m >= comfortable
        wide = min(hall) >= 2.0 * SETTINGS.reach(width) + _NARROWEST_HALL * radius
        if roomy and wide and screen(spec).passed:
            found += 1
            yield spec


_NARROWEST_HALL = 6.5
"""Room for the centreline across a hall, in reference radii: three lines of corners."""


def _wishes(draw: random.Random) -> TrackSpec:
    """Draw everything that a request can state."""
    width = round(draw.uniform(0.8, 2.2), 2)
    hall = (round(draw.uniform(10.0, 40.0), 1), round(draw.uniform(8.0, 25.0), 1))
    counts: dict[Feature, int] = {
        "hairpin": draw.randint(0, 4),
        "chicane": draw.randint(0, 2),
        "sweeper": draw.randint(0, 2),
    }
    order = [feature for feature in FEATURES for _ in range(counts[feature])]
    draw.shuffle(order)
    listed = draw.randint(1, len(order)) if order and draw.random() < 0.3 else 0
    radius = round(draw.uniform(0.7, 1.3) * max(0.9, 0.75 * width), 2)
    straight = round(draw.uniform(0.2, 0.6) * max(hall), 1)
    most = 0.5 * published_capacity(hall, width, SETTINGS)
    return TrackSpec(
        lap_length_m=round(draw.uniform(0.1, 1.0) * most, 1),
        corridor_width_m=width,
        hall_x_m=hall[0],
        hall_y_m=hall[1],
        direction=draw.choice(("cw", "ccw")),
        hairpins=counts["hairpin"],
        chicanes=counts["chicane"],
        sweepers=counts["sweeper"],
        feature_order=tuple(order[:listed]),
        min_radius_m=radius if draw.random() < 0.3 else None,
        longest_straight_m=straight if draw.random() < 0.3 else None,
    )


def try_random(count: int, seed: int) -> int:
    """Print how many of ``count`` random specifications are accepted, and which are not."""
    tally, outcomes = Tally(), Counter[str]()
    for number, spec in enumerate(random_specs(count, seed)):
        outcome = trial(METHODS["lattice"], spec, number, tally)
        outcomes[type(outcome).__name__] += 1
        if not isinstance(outcome, Acceptance):
            print(type(outcome).__name__, spec.values.model_dump_json(), flush=True)
    print(dict(outcomes), f"{tally.seconds / max(1, tally.trials):.2f} CPU s/trial")
    return count - tally.valid


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=sorted(METHODS), help="one constructor")
    parser.add_argument("--random", type=int, metavar="N", help="try N random specifications")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random specifications")
    arguments = parser.parse_args()
    if arguments.random:
        return int(try_random(arguments.random, arguments.seed) > 0.01 * arguments.random)
    return int(compare([arguments.only] if arguments.only else list(METHODS)) > 0)


if __name__ == "__main__":
    sys.exit(main())
