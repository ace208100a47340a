import asyncio, os, uuid, httpx  # pip install a2a-sdk
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a
from google.protobuf.json_format import MessageToJson

async def main():
    address = f"{os.environ['BASE_URL']}/a2a/{os.environ['AGENT']}"
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {os.environ['API_KEY']}"}, timeout=120) as http:
        card = await A2ACardResolver(http, address).get_agent_card()
        client = ClientFactory(ClientConfig(httpx_client=http)).create(card)
        text = a2a.Part(text="Chart the sums by region, and return the totals.")
        with open("sales.xlsx", "rb") as file:
            workbook = a2a.Part(raw=file.read(), filename="sales.xlsx")
        message = a2a.Message(message_id=str(uuid.uuid4()), role=a2a.ROLE_USER, parts=[text, workbook])
        request = a2a.SendMessageRequest(message=message)
        request.metadata.update({"max_cost_usd": 0.1})
        async for item in client.send_message(request):
            for part in item.artifact_update.artifact.parts:
                if part.HasField("text"):
                    print(part.text, end="")
                if part.HasField("data"):
                    print(MessageToJson(part.data, indent=None))
                if part.HasField("raw"):
                    with open(part.filename, "wb") as file:
                        file.write(part.raw)

asyncio.run(main())
