"""Follows the events at EVENTS_URL with httpx-sse until the server reports no more, resuming after the last id
whenever the connection breaks. Prints the ids in order of arrival, and the number of requests."""

import json
import os
import time

import httpx
from httpx_sse import EventSource

HEADERS = {"authorization": f"Bearer {os.environ['API_KEY']}", "accept": "text/event-stream"}

ids = []
asked = 0
with httpx.Client(timeout=300) as client:
    while True:
        asked += 1
        resume = {"last-event-id": ids[-1]} if ids else {}
        try:
            with client.stream("GET", os.environ["EVENTS_URL"], headers=HEADERS | resume) as response:
                if response.status_code == 204:
                    break
                response.raise_for_status()
                for event in EventSource(response).iter_sse():
                    ids.append(event.id)
        except httpx.TransportError:
            time.sleep(0.02)
print(json.dumps({"ids": ids, "asked": asked}))
