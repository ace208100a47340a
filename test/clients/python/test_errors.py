import unittest

import openai

from stage import EMBEDDING_MODEL, TEXT_MODEL, asking, client, counting_client


def ask(asker, **script):
    return asker.chat.completions.create(model=TEXT_MODEL, messages=asking(**script))


class Errors(unittest.TestCase):
    def raised(self, kind, call, status, code):
        with self.assertRaises(kind) as raised:
            call()
        error = raised.exception
        self.assertEqual((error.status_code, error.code), (status, code))
        self.assertEqual(set(error.body), {"message", "type", "param", "code"})
        self.assertTrue(error.request_id)
        return error

    def test_keys(self):
        for key in ("sk_live_" + "0" * 43, "not-a-key"):
            self.raised(openai.AuthenticationError, lambda: ask(client(key)), 401, "invalid_api_key")
        self.raised(openai.AuthenticationError, lambda: client("revoked").models.list(), 401, "invalid_api_key")
        error = self.raised(openai.PermissionDeniedError, lambda: ask(client("voiceOnly")), 403, "scope_not_allowed")
        self.assertEqual(error.type, "permission_error")

    def test_money(self):
        for key, code in ("broke", "insufficient_balance"), ("spent", "key_spend_limit_reached"):
            asker, sent = counting_client(key, max_retries=2)
            error = self.raised(openai.APIStatusError, lambda: ask(asker), 402, code)
            self.assertEqual(error.type, "billing_error")
            self.assertEqual(len(sent), 1)

    def test_unknown_model_names_the_nearest(self):
        typo = TEXT_MODEL[:-1]
        create = client().chat.completions.create
        call = lambda: create(model=typo, messages=asking())
        error = self.raised(openai.NotFoundError, call, 404, "model_not_found")
        self.assertIn(f"'{TEXT_MODEL}'", error.message)
        call = lambda: client().embeddings.create(model=f"{EMBEDDING_MODEL}x", input="Hi")
        error = self.raised(openai.NotFoundError, call, 404, "model_not_found")
        self.assertIn(f"'{EMBEDDING_MODEL}'", error.message)

    def test_unknown_paths(self):
        call = lambda: client().post("/no/such/path", cast_to=object)
        self.raised(openai.NotFoundError, call, 404, "unknown_url")

    def test_wrong_values_name_the_parameter(self):
        create = client().chat.completions.create
        for options in ({"temperature": 9}, {"n": 0}, {"stop": ["a"] * 9}, {"max_tokens": -1}):
            with self.subTest(options), self.assertRaises(openai.BadRequestError) as raised:
                create(model=TEXT_MODEL, messages=asking(), **options)
            self.assertEqual(raised.exception.param, next(iter(options)))

    def test_rate_limit_tells_when_to_come_back(self):
        asker = client("onePerMinute")
        first = asker.chat.completions.with_raw_response.create(model=TEXT_MODEL, messages=asking())
        self.assertEqual(first.headers["x-ratelimit-limit-requests"], "1")
        error = self.raised(openai.RateLimitError, lambda: ask(asker), 429, "rate_limit_exceeded")
        self.assertGreaterEqual(int(error.response.headers["retry-after"]), 1)
        self.assertGreater(int(error.response.headers["retry-after-ms"]), 0)

    def test_model_faults_hide_what_the_upstream_said(self):
        secret = {"message": "internal host 10.1.2.3"}
        for script in {"status": 500, "error": secret}, {"fault": "malformed"}, {"fault": "errorFrame"}:
            with self.subTest(script), self.assertRaises(openai.InternalServerError) as raised:
                ask(client(), **script)
            self.assertNotIn("10.1.2.3", str(raised.exception.body))

    def test_passing_faults_are_tried_again(self):
        asker, sent = counting_client(max_retries=1)
        with self.assertRaises(openai.InternalServerError):
            ask(asker, status=500)
        self.assertEqual([request.headers["x-stainless-retry-count"] for request in sent], ["0", "1"])

    def test_refused_requests_are_not_tried_again(self):
        asker, sent = counting_client(max_retries=2)
        with self.assertRaises(openai.BadRequestError):
            ask(asker, status=400, error={"message": "Too long.", "param": "messages"})
        self.assertEqual(len(sent), 1)


if __name__ == "__main__":
    unittest.main()
