"""Calls that type checkers accept, and calls that they refuse: those end with `# refused`."""

from ledgerline import AsyncLedgerline, Ledgerline, RunResult
from ledgerline.types import Run
from poet import poet, poet_async
from trips import trips

client = Ledgerline()

run: Run = client.runs.get("run_1")
status: str = run["status"]
run["stats"]  # refused
client.runs.get(1)  # refused
client.agents.run("acme/poet", "Hi.", max_cost_usd=0.1, on_event=lambda event: print(event["type"]))
client.agents.run("acme/poet", "Hi.", max_cost="0.1")  # refused
client.agents.run("acme/poet", "Hi.", if_session_busy="perhaps")  # refused
for listed in client.runs.list(status="failed"):
    print(listed["usage"]["total_usd"])
client.runs.list(status="lost")  # refused
balance: float = client.api.get_platform_billing_balance()["balance_usd"]
client.api.post_sessions({"titel": "Sales"})  # refused
client.api.get_session("ses_1")  # refused
with client.runs.stream("run_1") as stream:
    for event in stream:
        if event["type"] == "run.output_text.delta":
            print(event["data"]["delta"] + stream.text)
            print(event["data"]["text"])  # refused

poem = poet(topic="rain", form="haiku", max_cost_usd=0.1)
title: str = poem.data.title
lines: list[str] = [line.text for line in poem.data.lines or []]
cost: float = poem.cost_usd
poet(topic=1)  # refused
poet()  # refused
poet(topic="rain", form="sonnet")  # refused
poem.data.titel  # refused
trip: RunResult[None] = trips("Where to?", client=client)


async def call() -> str:
    async with AsyncLedgerline() as other:
        poem = await poet_async(topic="rain", client=other)
        async for listed in other.runs.list():
            print(listed["id"])
        poet_async(topic="rain", client=client)  # refused
        return poem.data.titel  # refused
