"""From an occupancy map to the drivable corridor: its cells, borders, clearance and centreline."""

from roboracer_arena.corridor.centerline import find_centerline
from roboracer_arena.corridor.centerline_csv import read_centerline_csv, write_centerline_csv
from roboracer_arena.corridor.clearance import clearance_field, level_set
from roboracer_arena.corridor.faces import wall_faces
from roboracer_arena.corridor.find import find_corridor
from roboracer_arena.corridor.measure import CorridorMeasures, measure_corridor
from roboracer_arena.corridor.model import Border, Centerline, ClearanceField, Corridor
from roboracer_arena.corridor.settings import CorridorSettings
from roboracer_arena.corridor.survey import MapSurvey, SurveyedRegion, survey_map

__all__ = [
    "Border",
    "Centerline",
    "ClearanceField",
    "Corridor",
    "CorridorMeasures",
    "CorridorSettings",
    "MapSurvey",
    "SurveyedRegion",
    "clearance_field",
    "find_centerline",
    "find_corridor",
    "level_set",
    "measure_corridor",
    "read_centerline_csv",
    "survey_map",
    "wall_faces",
    "write_centerline_csv",
]
