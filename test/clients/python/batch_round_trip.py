"""A batch from its file to its answers, with the official client, which checks every member of its answers."""

import json
import time

from stage import TEXT_MODEL, client

LINES = 12


def line(nth):
    body = {"model": TEXT_MODEL, "messages": [{"role": "user", "content": f"Say {nth}."}], "max_tokens": 16}
    return json.dumps({"custom_id": f"line-{nth}", "method": "POST", "url": "/v1/chat/completions", "body": body})


def ended(batch):
    while batch.status not in ("completed", "failed", "expired", "cancelled"):
        time.sleep(0.2)
        batch = client().batches.retrieve(batch.id)
    return batch


text = "\n".join(line(nth) for nth in range(LINES))
file = client().files.create(file=("calls.jsonl", text.encode()), purpose="batch")
created = client().batches.create(
    input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={"job": "nightly"}
)
batch = ended(created)
assert batch.status == "completed", batch
assert (batch.request_counts.total, batch.request_counts.completed, batch.request_counts.failed) == (LINES, LINES, 0)
assert batch.metadata == {"job": "nightly"}, batch.metadata
answers = [json.loads(one) for one in client().files.content(batch.output_file_id).text.splitlines()]
assert [answer["custom_id"] for answer in answers] == [f"line-{nth}" for nth in range(LINES)]
assert all(answer["response"]["body"]["choices"][0]["message"]["content"] for answer in answers)
total = sum(answer["response"]["body"]["usage"]["total_tokens"] for answer in answers)
assert batch.usage.total_tokens == total, (batch.usage, total)
output = client().files.retrieve(batch.output_file_id)
assert output.purpose == "batch_output", output

unwell = client().files.create(file=("calls.jsonl", b"{\n" + line(1).encode()), purpose="batch")
failed = ended(client().batches.create(input_file_id=unwell.id, endpoint="/v1/chat/completions", completion_window="24h"))
assert failed.status == "failed", failed
assert [(error.code, error.line) for error in failed.errors.data] == [("invalid_json_line", 1)], failed.errors

assert [one.id for one in client().batches.list(limit=1)] == [failed.id, created.id]
print("The batch went there and back.")
