import base64
import io
import os
import unittest
import zipfile

from elevenlabs import VoiceSettings
from elevenlabs.client import ElevenLabs
from elevenlabs.core.api_error import ApiError

from stage import KEYS

TEXT = "The quick brown fox jumped over the lazy dog."
RACHEL = "21m00Tcm4TlvDq8ikWAM"


def client(key="funded"):
    base = os.environ["BASE_URL"].replace("/textapi/v1", "/voiceapi")
    return ElevenLabs(base_url=base, api_key=KEYS[key])


def spoken(text=TEXT, **more):
    return b"".join(client().text_to_speech.convert(RACHEL, text=text, **more))


class Speech(unittest.TestCase):
    def test_comes_whole_and_streamed(self):
        settings = VoiceSettings(stability=0.4, similarity_boost=0.7, speed=1.1)
        whole = spoken(model_id="eleven_multilingual_v2", voice_settings=settings, seed=7)
        self.assertGreater(len(whole), 10_000)
        pieces = list(client().text_to_speech.stream(RACHEL, text=TEXT, output_format="pcm_16000"))
        self.assertGreater(sum(map(len, pieces)), 20_000)

    def test_tells_times_whole_and_streamed(self):
        timed = client().text_to_speech.convert_with_timestamps(RACHEL, text=TEXT)
        self.assertEqual("".join(timed.alignment.characters), TEXT)
        self.assertGreater(len(base64.b64decode(timed.audio_base_64)), 10_000)
        lines = list(client().text_to_speech.stream_with_timestamps(RACHEL, text=TEXT))
        heard = [character for line in lines if line.alignment for character in line.alignment.characters]
        self.assertEqual("".join(heard), TEXT)

    def test_that_is_refused_says_why_in_both_ways(self):
        with self.assertRaises(ApiError) as unknown:
            b"".join(client().text_to_speech.convert("nobody", text=TEXT))
        self.assertEqual(unknown.exception.status_code, 404)
        self.assertEqual(unknown.exception.body["detail"]["status"], "voice_not_found")
        with self.assertRaises(ApiError) as wrong:
            b"".join(client().text_to_speech.convert(RACHEL, text=""))
        self.assertEqual(wrong.exception.status_code, 422)
        with self.assertRaises(ApiError) as stranger:
            b"".join(client("revoked").text_to_speech.convert(RACHEL, text=TEXT))
        self.assertEqual(stranger.exception.status_code, 401)
        with self.assertRaises(ApiError) as broke:
            b"".join(client("broke").text_to_speech.convert(RACHEL, text=TEXT))
        self.assertEqual(broke.exception.body["error"]["code"], "insufficient_balance")


class Hearing(unittest.TestCase):
    def test_transcribes(self):
        sound = spoken("The fox jumped.", output_format="wav_16000")
        heard = client().speech_to_text.convert(model_id="scribe_v1", file=io.BytesIO(sound), tag_audio_events=False)
        self.assertIn("fox", heard.text)
        self.assertIn("fox", [word.text for word in heard.words])
        with self.assertRaises(ApiError) as refused:
            client().speech_to_text.convert(model_id="scribe_v1", file=io.BytesIO(sound), diarize=True)
        self.assertEqual(refused.exception.body["error"]["code"], "unsupported_parameter")

    def test_converts(self):
        sound = spoken()
        conversion = getattr(client(), "voice_changer", None) or client().speech_to_speech
        arguments = {"audio": io.BytesIO(sound), "model_id": "eleven_multilingual_sts_v2", "remove_background_noise": True}
        self.assertGreater(len(b"".join(conversion.convert("echo", **arguments))), 10_000)
        arguments["audio"] = io.BytesIO(sound)
        self.assertGreater(len(b"".join(conversion.stream("echo", **arguments))), 10_000)


class Voices(unittest.TestCase):
    def test_are_listed_cloned_changed_and_removed(self):
        voices = client().voices
        self.assertIn("alloy", [voice.voice_id for voice in voices.get_all().voices])
        sample = ("sample.mp3", io.BytesIO(spoken()))
        added = voices.ivc.create(name="Mine", files=[sample], labels={"accent": "odd"}, description="A test")
        again = voices.ivc.create(name="Other", files=[("sample.mp3", io.BytesIO(spoken()))])
        self.assertEqual(voices.get(added.voice_id).labels, {"accent": "odd"})
        self.assertEqual(len(voices.search(category="cloned", page_size=1).voices), 1)
        voices.update(added.voice_id, name="Renamed")
        self.assertEqual(voices.get(added.voice_id).name, "Renamed")
        voices.settings.update(added.voice_id, request=VoiceSettings(speed=1.1))
        self.assertEqual(voices.settings.get(added.voice_id).speed, 1.1)
        self.assertEqual(voices.settings.get_default().stability, 0.5)
        self.assertGreater(len(b"".join(client().text_to_speech.convert(added.voice_id, text=TEXT))), 10_000)
        for voice in (added, again):
            self.assertEqual(voices.delete(voice.voice_id).status, "ok")


class Account(unittest.TestCase):
    def test_has_a_history(self):
        spoken()
        history = client().history
        item = history.list(page_size=1).history[0]
        self.assertEqual(item.text, TEXT)
        self.assertEqual(history.get(item.history_item_id).voice_id, RACHEL)
        self.assertGreater(len(b"".join(history.get_audio(item.history_item_id))), 10_000)
        alone = b"".join(history.download(history_item_ids=[item.history_item_id]))
        self.assertEqual(alone, b"".join(history.get_audio(item.history_item_id)))
        spoken()
        ids = [one.history_item_id for one in history.list(page_size=2).history]
        with zipfile.ZipFile(io.BytesIO(b"".join(history.download(history_item_ids=ids)))) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(sorted(archive.namelist()), sorted(f"{one}.mp3" for one in ids))
            self.assertIn(alone, [archive.read(name) for name in archive.namelist()])
        history.delete(item.history_item_id)
        with self.assertRaises(ApiError):
            history.get(item.history_item_id)

    def test_lists_models_and_the_user(self):
        self.assertIn("ledgerline-speech", [model.model_id for model in client().models.list()])
        self.assertGreater(client().user.get().subscription.character_limit, 1_000)
        self.assertEqual(client().user.subscription.get().tier, "prepaid")


if __name__ == "__main__":
    unittest.main()
