import unittest

from stage import TEXT_MODEL, client, lenient_client, told


class Completions(unittest.TestCase):
    def test_answers_a_prompt(self):
        answer = client().completions.create(model=TEXT_MODEL, prompt=told(text="Hello world"), max_tokens=20)
        self.assertEqual(answer.object, "text_completion")
        self.assertEqual(answer.choices[0].text, "Hello world")
        self.assertEqual(answer.choices[0].finish_reason, "stop")
        self.assertEqual(answer.usage.completion_tokens, 2)
        self.assertTrue(answer._request_id)

    def test_gives_one_choice_for_each_prompt(self):
        answer = client().completions.create(model=TEXT_MODEL, prompt=["one", "two"], n=2, max_tokens=5)
        self.assertEqual([choice.index for choice in answer.choices], [0, 1, 2, 3])

    def test_takes_token_numbers(self):
        for prompt in ([1, 2, 3], [[1, 2], [3]]):
            with self.subTest(prompt):
                answer = client().completions.create(model=TEXT_MODEL, prompt=prompt, max_tokens=5)
                self.assertEqual(answer.usage.prompt_tokens, 3)
                self.assertEqual(answer.choices[0].finish_reason, "length")

    def test_streams(self):
        prompt = told(text="Hello big world")
        options = {"stream": True, "stream_options": {"include_usage": True}}
        chunks = list(lenient_client().completions.create(model=TEXT_MODEL, prompt=prompt, max_tokens=20, **options))
        self.assertEqual("".join(c.choices[0].text for c in chunks if c.choices), "Hello big world")
        self.assertEqual(chunks[-2].choices[0].finish_reason, "stop")
        self.assertEqual(chunks[-1].usage.completion_tokens, 3)

    def test_streams_without_usage_unless_asked(self):
        chunks = list(lenient_client().completions.create(model=TEXT_MODEL, prompt="Hi", max_tokens=5, stream=True))
        self.assertTrue(all(chunk.choices and chunk.usage is None for chunk in chunks))


if __name__ == "__main__":
    unittest.main()
