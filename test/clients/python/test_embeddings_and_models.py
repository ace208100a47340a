import unittest

import openai

from stage import EMBEDDING_MODEL, TEXT_MODEL, client, lenient_client


class Embeddings(unittest.TestCase):
    def test_gives_the_same_vector_as_base64_and_as_numbers(self):
        packed = lenient_client().embeddings.create(model=EMBEDDING_MODEL, input="Hello world")
        plain = client().embeddings.create(model=EMBEDDING_MODEL, input="Hello world", encoding_format="float")
        self.assertEqual(len(packed.data[0].embedding), len(plain.data[0].embedding))
        for left, right in zip(packed.data[0].embedding, plain.data[0].embedding):
            self.assertAlmostEqual(left, right, places=6)
        self.assertEqual((packed.usage.prompt_tokens, packed.usage.total_tokens), (2, 2))
        self.assertEqual(packed.model, EMBEDDING_MODEL)
        self.assertTrue(packed._request_id)

    def test_takes_lists_of_texts_and_of_token_numbers(self):
        for given, count, tokens in (["one", "two"], 2, 2), ([1, 2, 3], 1, 3), ([[1, 2], [3]], 2, 3):
            with self.subTest(given):
                answer = lenient_client().embeddings.create(model=EMBEDDING_MODEL, input=given)
                self.assertEqual([item.index for item in answer.data], list(range(count)))
                self.assertEqual(answer.usage.prompt_tokens, tokens)

    def test_gives_as_many_dimensions_as_asked(self):
        answer = lenient_client().embeddings.create(model=EMBEDDING_MODEL, input="Hi", dimensions=5)
        self.assertEqual(len(answer.data[0].embedding), 5)


class Models(unittest.TestCase):
    def test_lists_and_retrieves(self):
        models = list(client().models.list())
        self.assertLessEqual({TEXT_MODEL, EMBEDDING_MODEL}, {model.id for model in models})
        for model in models:
            self.assertEqual(client().models.retrieve(model.id), model)

    def test_says_which_do_not_exist(self):
        with self.assertRaises(openai.NotFoundError) as raised:
            client().models.retrieve("vendor/no such:model")
        self.assertEqual(raised.exception.code, "model_not_found")


if __name__ == "__main__":
    unittest.main()
