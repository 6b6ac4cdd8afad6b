"""Reading a request by rules alone: no model, no network, the same answer every time."""

from roboracer_arena.llm.grammar.parser import GrammarParser

__all__ = ["GrammarParser"]
