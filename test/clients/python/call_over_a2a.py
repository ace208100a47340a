"""An agent over A2A 1.0, with the official client, in both bindings: a task, its stream, a question and a cancellation."""

import asyncio
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as types
from agent_calls import ADDRESS, ASKING, HEADERS, told


def message(text, **members):
    sent = types.Message(message_id=str(uuid.uuid4()), role=types.ROLE_USER, parts=[types.Part(text=text)], **members)
    return types.SendMessageRequest(message=sent)


async def send(client, request):
    """The last task, or the task with its last status, of a message."""
    task, states = None, []
    async for item in client.send_message(request):
        if item.HasField("task"):
            task = item.task
            states.append(task.status.state)
        elif item.HasField("status_update"):
            states.append(item.status_update.status.state)
    return task, states


async def call(binding):
    async with httpx.AsyncClient(headers=HEADERS, timeout=120) as http:
        card = await A2ACardResolver(http, ADDRESS).get_agent_card()
        bindings = {"supported_protocol_bindings": [binding], "use_client_preference": True}
        streaming = ClientFactory(ClientConfig(httpx_client=http, **bindings)).create(card)
        whole = ClientFactory(ClientConfig(httpx_client=http, streaming=False, **bindings)).create(card)

        task, states = await send(whole, message(told({"text": "Rain falls."})))
        assert states == [types.TASK_STATE_COMPLETED], states
        assert task.artifacts[0].parts[0].text == "Rain falls.", task
        task, states = await send(streaming, message(told({"text": "Snow falls.", "delayMs": 5})))
        assert states[-1] == types.TASK_STATE_COMPLETED, states

        asked, states = await send(whole, message(told(ASKING)))
        assert states == [types.TASK_STATE_INPUT_REQUIRED], states
        assert asked.status.message.parts[0].text == "Which city?", asked
        end, states = await send(whole, message("Rome", task_id=asked.id, context_id=asked.context_id))
        assert end.artifacts[-1].parts[0].text == "Rome, then.", end

        slow = message(told({"text": "word " * 2000, "delayMs": 50}))
        slow.configuration.return_immediately = True
        task, _states = await send(whole, slow)
        await whole.cancel_task(types.CancelTaskRequest(id=task.id))
        while True:
            task = await whole.get_task(types.GetTaskRequest(id=task.id))
            if task.status.state == types.TASK_STATE_CANCELED:
                break
            await asyncio.sleep(0.1)


async def main():
    bindings = ["JSONRPC", "HTTP+JSON"]
    for binding in bindings:
        await call(binding)
    print(f"{len(bindings)} bindings answered")


asyncio.run(main())
