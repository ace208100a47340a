import unittest

import openai

from stage import TEXT_MODEL, asking, client

CHAT = {
    "audio": {"voice": "alloy", "format": "mp3"},
    "prediction": {"type": "content", "content": "x"},
    "web_search_options": {},
    "functions": [{"name": "f", "parameters": {}}],
    "function_call": "auto",
}
RESPONSES = {
    "previous_response_id": "resp_1",
    "conversation": "conv_1",
    "background": True,
    "prompt_cache_key": "k",
}
MODALITIES = (["text", "audio"], ["audio"], [], ["text", "text"])


class Refusals(unittest.TestCase):
    def refused(self, call, name, code="unsupported_parameter"):
        with self.assertRaises(openai.BadRequestError) as raised:
            call()
        error = raised.exception
        self.assertEqual((error.status_code, error.code, error.param), (400, code, name))
        self.assertEqual(error.type, "invalid_request_error")
        self.assertEqual(set(error.body), {"message", "type", "param", "code"})
        self.assertIn(name, error.message)
        self.assertTrue(error.request_id)

    def test_chat_parameters(self):
        for name, value in CHAT.items():
            for stream in (False, True):
                with self.subTest(name, stream=stream):
                    create = client().chat.completions.create
                    options = {"messages": asking(), "stream": stream, "extra_body": {name: value}}
                    self.refused(lambda: create(model=TEXT_MODEL, **options), name)

    def test_modalities_other_than_text(self):
        create = client().chat.completions.create
        for modalities in MODALITIES:
            with self.subTest(modalities):
                options = {"messages": asking(), "extra_body": {"modalities": modalities}}
                self.refused(lambda: create(model=TEXT_MODEL, **options), "modalities")

    def test_response_parameters(self):
        for name, value in RESPONSES.items():
            for stream in (False, True):
                with self.subTest(name, stream=stream):
                    create = client().responses.create
                    options = {"input": "Hi", "stream": stream, "extra_body": {name: value}}
                    self.refused(lambda: create(model=TEXT_MODEL, **options), name)

    def test_null_counts_as_not_sent(self):
        nothing = dict.fromkeys([*CHAT, "modalities"])
        answer = client().chat.completions.create(model=TEXT_MODEL, messages=asking(), extra_body=nothing)
        self.assertEqual(answer.choices[0].finish_reason, "stop")
        answer = client().responses.create(model=TEXT_MODEL, input="Hi", extra_body=dict.fromkeys(RESPONSES))
        self.assertEqual(answer.status, "completed")


if __name__ == "__main__":
    unittest.main()
