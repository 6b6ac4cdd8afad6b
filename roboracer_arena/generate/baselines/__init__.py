"""Two simpler constructors for comparison (Table IV); both are judged by the same validator."""

from roboracer_arena.generate.baselines.evolution import EvolutionConstructor
from roboracer_arena.generate.baselines.sampling import SamplingConstructor

__all__ = ["EvolutionConstructor", "SamplingConstructor"]
