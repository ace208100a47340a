"""What a customer's program does, in lanes that each have a client of their own: calls and runs, one after another. Every second lane is
asynchronous. The plan comes in the environment; the last line of the output is what came of it, as JSON."""

import asyncio
import json
import os
import threading

from ledgerline import AsyncLedgerline, Ledgerline

plan = json.loads(os.environ["PLAN"])
results = {"answers": [], "runs": [], "failures": []}


def text_of(number):
    return f"Answer {number}: {' '.join(f'wörd{at}' for at in range(30))}."


def scripted(number):
    return json.dumps({"scripted": {"text": text_of(number)}})


def order_of(number):
    return {"model": plan["textModel"], "messages": [{"role": "user", "content": scripted(number)}]}


def call(client, number):
    if number % 3 == 0:
        vendor = client.openai().with_options(max_retries=client._transport.max_retries)
        answer = vendor.chat.completions.create(**order_of(number))
        return {"kind": "openai", "id": answer.id, "isWhole": answer.choices[0].message.content == text_of(number)}
    if number % 3 == 1:
        answer = client.api.post_chat_completions(order_of(number))
        return {
            "kind": "plain",
            "id": answer["id"],
            "isWhole": answer["choices"][0]["message"]["content"] == text_of(number),
        }
    return {"kind": "read", "id": None, "isWhole": client.api.get_models_id(plan["textModel"])["object"] == "model"}


def run(client, number):
    started = client.agents.start(plan["agent"], scripted(number), max_cost_usd=0.1)
    with client.runs.stream(started["id"]) as stream:
        events = [event["id"] for event in stream]
    whole = client.runs.wait(started["id"]).output == stream.text == text_of(number) and len(set(events)) == len(events)
    return {"id": started["id"], "isWhole": whole}


async def async_call(client, number):
    if number % 3 == 2:
        return {
            "kind": "read",
            "id": None,
            "isWhole": (await client.api.get_models_id(plan["textModel"]))["object"] == "model",
        }
    answer = await client.api.post_chat_completions(order_of(number))
    return {
        "kind": "plain",
        "id": answer["id"],
        "isWhole": answer["choices"][0]["message"]["content"] == text_of(number),
    }


async def async_run(client, number):
    events = []
    result = await client.agents.run(
        plan["agent"], scripted(number), max_cost_usd=0.1, on_event=lambda event: events.append(event["id"])
    )
    return {"id": result.id, "isWhole": result.output == text_of(number) and len(set(events)) == len(events)}


def work(lane):
    with Ledgerline(base_url=lane["baseUrl"], max_retries=plan.get("maxRetries", 2)) as client:
        for name, numbers, do in (("answers", lane["callNumbers"], call), ("runs", lane["runNumbers"], run)):
            for number in numbers:
                try:
                    results[name].append({"number": number, **do(client, number)})
                except Exception as error:
                    results["failures"].append({"number": number, "error": repr(error)})


async def async_work(lane):
    async with AsyncLedgerline(base_url=lane["baseUrl"], max_retries=plan.get("maxRetries", 2)) as client:
        for name, numbers, do in (
            ("answers", lane["callNumbers"], async_call),
            ("runs", lane["runNumbers"], async_run),
        ):
            for number in numbers:
                try:
                    results[name].append({"number": number, **await do(client, number)})
                except Exception as error:
                    results["failures"].append({"number": number, "error": repr(error)})


def work_async(lane):
    asyncio.run(async_work(lane))


threads = [
    threading.Thread(target=work_async if at % 2 else work, args=[lane]) for at, lane in enumerate(plan["lanes"])
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(results))
