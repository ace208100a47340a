"""Shared by the scripts that call agents."""

import json
import os

ADDRESS = os.environ["ADDRESS"]
HEADERS = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
ASKING = {
    "turns": [
        {"toolCalls": [{"name": "ask_user", "arguments": json.dumps({"question": "Which city?"})}]},
        {"text": "Rome, then."},
    ]
}


def told(script):
    """A message with the model's script."""
    return json.dumps({"scripted": script})
