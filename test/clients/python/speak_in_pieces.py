"""Speaks words with the vendor's realtime client, and prints the result as JSON."""

import json
import os
import sys

from elevenlabs import ElevenLabs, VoiceSettings
from elevenlabs.core.api_error import ApiError

client = ElevenLabs(base_url=os.environ["BASE_URL"], api_key=os.environ["API_KEY"])
output_format, *words = sys.argv[1:]

try:
    sound = b"".join(
        client.text_to_speech.convert_realtime(
            voice_id="alloy",
            text=iter(words),
            model_id="eleven_turbo_v2_5",
            output_format=output_format,
            voice_settings=VoiceSettings(stability=0.5, similarity_boost=0.5),
        )
    )
    print(json.dumps({"sound": sound.hex()}))
except ApiError as error:
    print(json.dumps({"status": error.status_code, "body": error.body}))
