"""The same as cutCalls.mjs, with the package for Python: calls and runs in lanes. Prints what came of them, as JSON."""

import json
import os
import traceback
from concurrent.futures import ThreadPoolExecutor

from ledgerline import Ledgerline

plan = json.loads(os.environ["PLAN"])
results = {"answers": [], "runs": [], "failures": []}


def text_of(number):
    return f"Answer {number}: " + " ".join(f"wörd{at}" for at in range(30)) + "."


def scripted(number):
    return json.dumps({"scripted": {"text": text_of(number)}})


def order_of(number):
    return {"model": plan["textModel"], "messages": [{"role": "user", "content": scripted(number)}]}


def plain_chat(client, openai, number):
    answer = client.api.post_chat_completions(order_of(number))
    return answer["id"], answer["choices"][0]["message"]["content"] == text_of(number)


def chat(client, openai, number):
    answer = openai.chat.completions.create(**order_of(number))
    return answer.id, answer.choices[0].message.content == text_of(number)


def embedding(client, openai, number):
    with client.recorded() as calls:
        answer = openai.embeddings.create(model=plan["embeddingModel"], input=f"Text {number}")
    return calls[-1].request_id, len(answer.data[0].embedding) > 0


def plain_read(client, openai, number):
    return None, len(client.api.get_models()["data"]) > 0


def run(client, number):
    started = client.agents.start(plan["agent"], scripted(number), max_cost_usd=0.1)
    with client.runs.stream(started["id"]) as stream:
        ids = [event["id"] for event in stream]
        text = stream.text
    result = client.runs.wait(started["id"])
    is_whole = text == result.output == text_of(number) and len(set(ids)) == len(ids)
    return {"id": result.id, "isWhole": is_whole, "costUsd": result.cost_usd}


CALLS = [plain_chat, chat, embedding, plain_read]


def work(lane):
    with Ledgerline(base_url=lane["baseUrl"]) as client:
        openai = client.openai()
        for number in lane["callNumbers"]:
            call = CALLS[number % len(CALLS)]
            try:
                answer_id, is_whole = call(client, openai, number)
                found = {"kind": call.__name__, "number": number, "id": answer_id, "isWhole": is_whole}
                results["answers"].append(found)
            except Exception:
                results["failures"].append({"kind": call.__name__, "number": number, "error": traceback.format_exc()})
        for number in lane["runNumbers"]:
            try:
                results["runs"].append({"number": number, **run(client, number)})
            except Exception:
                results["failures"].append({"kind": "run", "number": number, "error": traceback.format_exc()})


with ThreadPoolExecutor(len(plan["lanes"])) as pool:
    list(pool.map(work, plan["lanes"]))
print(json.dumps(results))
