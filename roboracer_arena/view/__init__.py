"""Pictures of a finished stage. :mod:`~roboracer_arena.view.render` makes image files."""
