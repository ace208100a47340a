import http.client
import json
import time
import urllib.error
import urllib.request

LAST_TYPES = {"run.completed", "run.failed", "run.cancelled", "run.limit_reached"}


def follow_run(base_url, api_key, run_id):
    """Follows a run until its end, over any number of lost connections. Yields each event once, in order."""
    last_id, failures = None, 0
    while True:
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {api_key}"}
        if last_id:
            headers["Last-Event-ID"] = last_id
        request = urllib.request.Request(f"{base_url}/v1/runs/{run_id}/events", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # A keep-alive comes every 10 s.
                if response.status == 204:
                    return  # The last event was already received.
                for frame in frames_of(response):
                    if "id" not in frame or "data" not in frame:
                        continue  # A keep-alive, or an error without a place in the stream.
                    event = json.loads(frame["data"])
                    last_id, failures = event["id"], 0
                    yield event
                    if event["type"] in LAST_TYPES:
                        return
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429 or failures >= 10:
                raise  # Refused.
        except (OSError, http.client.HTTPException):
            if failures >= 10:
                raise  # Away for too long.
        time.sleep(min(10, 0.25 * 2**failures))
        failures += 1


def frames_of(response):
    frame = {}
    while line := response.readline():
        if line.endswith(b"\n") and line != b"\n":
            name, _, value = line.decode().rstrip("\n").partition(": ")
            frame[name] = value
        elif line == b"\n":  # A frame counts only when it is whole.
            yield frame
            frame = {}


def add_text(texts, event):
    """The texts of a run so far, by item. A step that is retried writes a new item."""
    data = event["data"]
    if event["type"] == "run.output_text.done":
        texts[data["item_id"]] = data["text"]
    if event["type"] == "run.output_text.delta":
        kept = texts.get(data["item_id"], "").encode("utf-16-le")[: data["offset"] * 2]
        texts[data["item_id"]] = kept.decode("utf-16-le", "surrogatepass") + data["delta"]
