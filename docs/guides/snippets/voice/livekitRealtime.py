import asyncio
import os

from livekit.agents.utils import http_context
from livekit.plugins import openai
from openai.types.realtime.realtime_audio_input_turn_detection import ServerVad

model = openai.realtime.RealtimeModel(
    base_url=os.environ["BASE_URL"] + "/v1",
    api_key=os.environ["API_KEY"],
    # The plugin's own default, semantic_vad, is refused.
    turn_detection=ServerVad(type="server_vad", create_response=True, interrupt_response=True),
)


async def main():
    async with http_context.open():
        session = model.session()
        await session.update_instructions("Be brief.")
        reply = await session.generate_reply()
        async for message in reply.message_stream:
            print("".join([str(text) async for text in message.text_stream]))
        await session.aclose()


asyncio.run(main())
