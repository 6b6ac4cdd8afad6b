"""RoboRacer Arena: 3D race tracks out of ROS occupancy maps, and 1:10 cars that race on them.

Importing the package loads no engine, no USD and no renderer; each is loaded by the module that
owns it, when it is used.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
