"""Baseline drivers that people know, and the door for a user's own."""

from roboracer_arena.sim.controllers.base import Command, Controller, Observation
from roboracer_arena.sim.controllers.load import CONTROLLERS, load_controller

__all__ = ["CONTROLLERS", "Command", "Controller", "Observation", "load_controller"]
