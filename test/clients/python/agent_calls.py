"""What the scripts that call agents have in common."""

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
    """The message that makes the model do as scripted."""
    return json.dumps({"scripted": script})
