import base64
import os
import unittest

from stage import async_client, client, told

# The client turns http into wss, so without TLS the sockets' address is set separately.
SOCKETS = os.environ["BASE_URL"].replace("http", "ws", 1)
SAMPLES_A_MS = 24


def user_says(text):
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def spoken(text):
    sound = client().audio.speech.create(model="tts-1", voice="alloy", input=text, response_format="pcm")
    return sound.content


def silence(ms):
    return bytes(2 * SAMPLES_A_MS * ms)


class Realtime(unittest.IsolatedAsyncioTestCase):
    def connect(self, **options):
        # Strict checks apply only to HTTP answers.
        realtime = async_client(websocket_base_url=SOCKETS).realtime
        return realtime.connect(**({"model": "gpt-realtime"} | options))

    async def until(self, connection, wanted):
        """The events up to the first of a type."""
        seen = []
        async for event in connection:
            seen.append(event)
            if event.type == "error":
                self.fail(event.error.message)
            if event.type == wanted:
                return seen
        self.fail(f"the socket closed before {wanted}")

    async def append(self, connection, sound):
        for at in range(0, len(sound), 9_600):
            await connection.input_audio_buffer.append(audio=base64.b64encode(sound[at : at + 9_600]).decode())

    async def test_answers_text_with_text(self):
        async with self.connect() as connection:
            await connection.session.update(session={"type": "realtime", "output_modalities": ["text"]})
            await connection.conversation.item.create(item=user_says(told(text="four five six")))
            await connection.response.create()
            seen = await self.until(connection, "response.done")
        self.assertEqual(seen[0].type, "session.created")
        written = "".join(event.delta for event in seen if event.type == "response.output_text.delta")
        self.assertEqual(written, "four five six")
        response = seen[-1].response
        self.assertEqual((response.status, response.usage.output_tokens), ("completed", 3))
        self.assertGreater(response.usage.cost, 0)

    async def test_hears_a_turn_and_answers_aloud(self):
        sound = silence(400) + spoken("Hello, how are you today?") + silence(900)
        detection = {"type": "server_vad", "silence_duration_ms": 400}
        transcription = {"model": "whisper-1"}
        async with self.connect() as connection:
            await connection.session.update(
                session={
                    "type": "realtime",
                    "audio": {"input": {"turn_detection": detection, "transcription": transcription}},
                }
            )
            await self.append(connection, sound)
            seen = await self.until(connection, "response.done")
        types = [event.type for event in seen]
        self.assertLess(types.index("input_audio_buffer.speech_started"), types.index("input_audio_buffer.committed"))
        heard = [e for e in seen if e.type == "conversation.item.input_audio_transcription.completed"]
        self.assertRegex(heard[0].transcript.lower(), "you today")
        pieces = [base64.b64decode(e.delta) for e in seen if e.type == "response.output_audio.delta"]
        self.assertGreater(sum(len(piece) for piece in pieces), 10_000)

    async def test_calls_a_tool_and_uses_its_output(self):
        tool = {"type": "function", "name": "weather", "parameters": {"type": "object", "properties": {}}}
        called = told(toolCalls=[{"name": "weather", "arguments": '{"city":"Oslo"}'}])
        async with self.connect() as connection:
            await connection.session.update(
                session={"type": "realtime", "output_modalities": ["text"], "tools": [tool], "tool_choice": "auto"}
            )
            await connection.conversation.item.create(item=user_says(called))
            await connection.response.create()
            call = (await self.until(connection, "response.done"))[-1].response.output[0]
            self.assertEqual((call.type, call.name, call.arguments), ("function_call", "weather", '{"city":"Oslo"}'))
            await connection.conversation.item.create(
                item={"type": "function_call_output", "call_id": call.call_id, "output": "rain"}
            )
            await connection.conversation.item.create(item=user_says(told(text="It rains.")))
            await connection.response.create()
            message = (await self.until(connection, "response.done"))[-1].response.output[0]
        self.assertEqual(message.content[0].text, "It rains.")

    async def test_transcribes_in_a_session_of_its_own(self):
        async with self.connect(model="gpt-4o-transcribe", extra_query={"intent": "transcription"}) as connection:
            await connection.session.update(
                session={"type": "transcription", "audio": {"input": {"turn_detection": None}}}
            )
            await self.append(connection, spoken("Hello, how are you today?"))
            await connection.input_audio_buffer.commit()
            seen = await self.until(connection, "conversation.item.input_audio_transcription.completed")
        self.assertRegex(seen[-1].transcript.lower(), "you today")
        self.assertNotIn("response.created", [event.type for event in seen])

    async def test_gets_errors_with_the_id_of_its_event_and_goes_on(self):
        async with self.connect() as connection:
            await connection.conversation.item.delete(item_id="item_none", event_id="mine")
            async for event in connection:
                if event.type == "error":
                    break
            self.assertEqual((event.error.code, event.error.event_id), ("item_not_found", "mine"))
            await connection.response.create(response={"output_modalities": ["text"]})
            await self.until(connection, "response.done")


if __name__ == "__main__":
    unittest.main()
