"""Writes the modules of two agents into folder argv[1], with types of the style argv[2]."""

import sys
from pathlib import Path

from ledgerline.add.module import module_of

line = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
poet = {
    "name": "Poet",
    "description": "Writes verses about anything.",
    "input_schema": {
        "type": "object",
        "properties": {
            "topic": {"type": "string", "description": "What to write about."},
            "form": {"enum": ["haiku", "limerick"]},
        },
        "required": ["topic"],
    },
    "output_schema": {
        "type": "object",
        "properties": {"title": {"type": "string"}, "lines": {"type": "array", "items": line}},
        "required": ["title"],
    },
}
trips = {"name": "Trips", "description": "Plans trips.", "input_schema": None, "output_schema": None}
folder, style = Path(sys.argv[1]), sys.argv[2]
(folder / "poet.py").write_text(module_of(poet, "acme/poet", style))
(folder / "trips.py").write_text(module_of(trips, "acme/trips", style))
