import os
from elevenlabs.client import ElevenLabs

client = ElevenLabs(base_url=os.environ["BASE_URL"] + "/voiceapi", api_key=os.environ["API_KEY"])
sound = client.text_to_speech.convert("21m00Tcm4TlvDq8ikWAM", text="Hello.", model_id="eleven_multilingual_v2")
with open("hello.mp3", "wb") as file:
    for part in sound:
        file.write(part)
