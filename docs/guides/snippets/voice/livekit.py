import asyncio
import os

from livekit.agents.utils import http_context
from livekit.plugins import elevenlabs

connection = {"base_url": os.environ["BASE_URL"] + "/voiceapi/v1", "api_key": os.environ["API_KEY"]}


async def main():
    async with http_context.open():
        speech = elevenlabs.TTS(voice_id="alloy", **connection).stream()
        ears = elevenlabs.STT(model="scribe_v2_realtime", **connection).stream()
        for word in "What is the capital of France? ".split():
            speech.push_text(word + " ")
        speech.end_input()
        async for sound in speech:
            ears.push_frame(sound.frame)
        ears.flush()
        async for event in ears:
            if event.type == "final_transcript":
                print(event.alternatives[0].text)
                break
        await ears.aclose()


asyncio.run(main())
