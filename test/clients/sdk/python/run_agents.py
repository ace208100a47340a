"""Runs agents in each of the ways of the client, and prints what came of it."""

import asyncio
import json
import os

import ledgerline
from elevenlabs.core.api_error import ApiError
from ledgerline import AsyncLedgerline, Ledgerline

AGENTS = json.loads(os.environ["AGENTS"])


def told(*turns):
    return json.dumps({"scripted": {"turns": list(turns)}})


def call(name, **arguments):
    return {"toolCalls": [{"name": name, "arguments": json.dumps(arguments)}]}


def synchronous():
    seen = {}
    with Ledgerline() as client:
        events = []
        result = client.agents.run(
            AGENTS["poet"], told({"text": "Blue."}), max_cost_usd=0.5, on_event=lambda e: events.append(e["type"])
        )
        seen["text"], seen["cost"], seen["events"] = result.output, result.cost_usd > 0, events[-1]
        seen["billed"] = client.runs.get(result.id)["usage"]["total_usd"] == result.cost_usd

        run = client.agents.start(AGENTS["poet"], told({"text": "Green."}), metadata={"team": "sdk"})
        with client.runs.stream(run["id"]) as stream:
            for _ in stream:
                pass
            seen["streamed"] = [stream.text, stream.run["status"] if stream.run else None]
            seen["listed events"] = client.api.get_runs_run_id_events(run["id"], limit=100)["data"][-1]["type"]
        seen["listed"] = [one["id"] == run["id"] for one in client.runs.list(metadata={"team": "sdk"}, limit=1)]

        written = client.agents.run(
            AGENTS["poet"], told(call("write_file", path="poem.md", content="Tea."), {"text": "Done."})
        )
        seen["files"] = [[file.filename, client.files.read(file.id).decode()] for file in written.files]

        sales = ("sales.csv", b"item,amount\nTea,1.10\n")
        client.agents.run(AGENTS["poet"], "How much is the tea?", files=[sales, client.files.upload(sales)["id"]])
        latest = next(client.runs.list(limit=1))
        seen["input"] = [item["type"] for item in latest["input"]]

        with client.recorded() as calls:
            message = {"role": "user", "content": told({"text": "White."})}
            spoken = client.openai().chat.completions.create(model=AGENTS["poet"], messages=[message])
            try:
                client.elevenlabs().voices.get_all()
            except ApiError as error:  # The key has another scope.
                seen["voices"] = error.body["error"]["code"]
        seen["vendors"] = [spoken.choices[0].message.content, [call.status for call in calls]]

        try:
            client.agents.run("test/nobody", "Hello.")
        except ledgerline.NotFoundError as error:
            seen["refused"] = [error.status, error.code, bool(error.request_id)]
    return seen


async def asynchronous():
    seen = {}
    async with AsyncLedgerline() as client:
        try:
            await client.agents.run(
                AGENTS["poet"], told(call("ask_user", question="Which city?"), {"text": "Rome, then."})
            )
        except ledgerline.RunRequiresActionError as error:
            seen["asks"] = error.run["required_actions"][0]["question"]
            await client.runs.answer(error.run["id"], text="Rome")
            seen["answered"] = (await client.runs.wait(error.run["id"])).output

        def decide(action):
            if action["type"] == "form":
                return {"type": "form", "data": {"city": "Ulm"}}
            return {"type": "tool_approval", "decision": "approve"}

        form = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
        both = {
            "toolCalls": [
                call("ask_user", question="Where?", schema=form)["toolCalls"][0],
                call("write_file", path="a.md", content="A.")["toolCalls"][0],
            ]
        }
        booked = await client.agents.run(AGENTS["planner"], told(both, {"text": "Booked."}), on_action=decide)
        seen["together"] = booked.output

        asked = await client.agents.start(AGENTS["poet"], told(call("ask_user", question="Which city?")))
        task = asyncio.create_task(
            client.runs.wait(asked["id"], on_action=lambda _: asyncio.sleep(600), cancel_on_abort=True)
        )
        while (await client.runs.get(asked["id"]))["status"] != "requires_action":
            await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        try:
            await client.runs.wait(asked["id"])
        except ledgerline.RunCancelledError as error:
            seen["cancelled"] = error.run["status"]
        with client.recorded() as calls:
            await client.api.post_chat_completions(
                {"model": AGENTS["poet"], "messages": [{"role": "user", "content": told({"text": "Red."})}]}
            )
        seen["recorded"] = [len(calls), calls.cost_usd > 0, bool(calls[0].request_id)]
    return seen


print(json.dumps({"sync": synchronous(), "async": asyncio.run(asynchronous())}))
