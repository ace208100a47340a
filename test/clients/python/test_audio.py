import io
import unittest

import openai

from stage import client

# Short, because a recogniser hears it in most tests.
TEXT = "The fox jumped."


def spoken(text=TEXT, response_format="wav"):
    sound = client().audio.speech.create(model="tts-1", voice="alloy", input=text, response_format=response_format)
    return sound.content


class Speech(unittest.TestCase):
    def test_comes_in_six_formats(self):
        for name in ("mp3", "opus", "aac", "flac", "wav", "pcm"):
            self.assertGreater(len(spoken("One.", name)), 1_000, name)

    def test_streams(self):
        with client().audio.speech.with_streaming_response.create(
            model="tts-1-hd", voice="nova", input=TEXT, speed=1.2
        ) as answer:
            pieces = list(answer.iter_bytes(1024))
        self.assertGreater(len(pieces), 5)

    def test_of_an_unknown_model_or_form_is_refused(self):
        with self.assertRaises(openai.NotFoundError) as unknown:
            client().audio.speech.create(model="tts-9", voice="alloy", input=TEXT)
        self.assertEqual(unknown.exception.code, "model_not_found")
        with self.assertRaises(openai.BadRequestError) as wrong:
            client().audio.speech.create(model="tts-1", voice="alloy", input=TEXT, response_format="ogg")
        self.assertEqual((wrong.exception.code, wrong.exception.param), ("invalid_value", "response_format"))


class Transcription(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sound = spoken()

    def file(self):
        return ("speech.wav", io.BytesIO(self.sound))

    def test_is_an_object_or_text(self):
        audio = client().audio
        answer = audio.transcriptions.create(model="whisper-1", file=self.file())
        self.assertIn("fox", answer.text)
        text = audio.transcriptions.create(model="gpt-4o-transcribe", file=self.file(), response_format="text")
        self.assertIn("fox", text)
        subtitles = audio.transcriptions.create(model="whisper-1", file=self.file(), response_format="srt")
        self.assertRegex(subtitles, r"^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n")
        captions = audio.transcriptions.create(model="whisper-1", file=self.file(), response_format="vtt")
        self.assertTrue(captions.startswith("WEBVTT\n\n"))

    def test_tells_times_where_asked(self):
        answer = client().audio.transcriptions.create(
            model="whisper-1",
            file=self.file(),
            response_format="verbose_json",
            timestamp_granularities=["word", "segment"],
        )
        self.assertEqual(answer.language, "english")
        self.assertAlmostEqual(answer.duration, (len(self.sound) - 44) / 48_000, places=1)
        self.assertGreater(answer.segments[0].end, answer.segments[0].start)
        self.assertIn("fox", [word.word for word in answer.words])

    def test_streams(self):
        events = list(client().audio.transcriptions.create(model="gpt-4o-transcribe", file=self.file(), stream=True))
        self.assertEqual(events[-1].type, "transcript.text.done")
        deltas = "".join(event.delta for event in events[:-1])
        self.assertEqual(deltas, events[-1].text)

    def test_of_a_translation_is_english(self):
        self.assertIn("fox", client().audio.translations.create(model="whisper-1", file=self.file()).text)

    def test_of_no_sound_is_refused(self):
        with self.assertRaises(openai.BadRequestError) as wrong:
            client().audio.transcriptions.create(model="whisper-1", file=("speech.wav", b"no sound at all"))
        self.assertEqual(wrong.exception.code, "invalid_audio")


if __name__ == "__main__":
    unittest.main()
