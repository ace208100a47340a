import asyncio
import unittest

import openai

from stage import TEXT_MODEL, asking, async_client, client, told

HELLO = {"model": TEXT_MODEL, "messages": asking(text="Hello world")}
UPSTREAM_WAITS_MS = 60_000


class RawAnswers(unittest.TestCase):
    def test_tell_their_headers_and_can_be_parsed(self):
        answer = client().chat.completions.with_raw_response.create(**HELLO)
        self.assertEqual(answer.parse().choices[0].message.content, "Hello world")
        self.assertEqual(answer.headers["x-request-id"], answer.request_id)
        self.assertGreater(float(answer.headers["x-cost-usd"]), 0)

    def test_can_be_read_as_they_come(self):
        with client().chat.completions.with_streaming_response.create(**HELLO, stream=True) as answer:
            lines = [line for line in answer.iter_lines() if line]
        self.assertTrue(all(line.startswith("data: ") for line in lines))
        self.assertEqual(lines[-1], "data: [DONE]")

    def test_take_further_headers_queries_and_members(self):
        extras = {"extra_headers": {"x-own": "1"}, "extra_query": {"own": "1"}, "extra_body": {"top_p": 0.5}}
        answer = client().chat.completions.create(**HELLO, **extras)
        self.assertEqual(answer.choices[0].message.content, "Hello world")


class AsyncCalls(unittest.IsolatedAsyncioTestCase):
    async def test_run_beside_each_other(self):
        async with async_client() as calls:
            answers = await asyncio.gather(*(calls.chat.completions.create(**HELLO) for _ in range(20)))
        self.assertEqual({answer.choices[0].message.content for answer in answers}, {"Hello world"})
        self.assertEqual(len({answer.id for answer in answers}), 20)

    async def test_stream(self):
        async with async_client() as calls:
            async with calls.chat.completions.stream(**HELLO) as stream:
                kinds = [event.type async for event in stream]
                answer = await stream.get_final_completion()
        self.assertIn("content.done", kinds)
        self.assertEqual(answer.choices[0].message.content, "Hello world")

    async def test_stream_responses(self):
        async with async_client() as calls:
            async with calls.responses.stream(model=TEXT_MODEL, input=told(text="Hello world")) as stream:
                kinds = [event.type async for event in stream]
                answer = await stream.get_final_response()
        self.assertEqual((kinds[0], kinds[-1]), ("response.created", "response.completed"))
        self.assertEqual(answer.output_text, "Hello world")

    async def test_list_models_page_by_page(self):
        async with async_client() as calls:
            self.assertIn(TEXT_MODEL, [model.id async for model in calls.models.list()])

    async def test_can_be_cancelled(self):
        async with async_client() as calls:
            waits = asking(headDelayMs=UPSTREAM_WAITS_MS)
            call = asyncio.create_task(calls.chat.completions.create(model=TEXT_MODEL, messages=waits))
            await asyncio.sleep(0)
            call.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await call

    async def test_end_at_their_time_limit(self):
        async with async_client(timeout=1) as calls:
            waits = asking(headDelayMs=UPSTREAM_WAITS_MS)
            with self.assertRaises(openai.APITimeoutError):
                await calls.chat.completions.create(model=TEXT_MODEL, messages=waits)


if __name__ == "__main__":
    unittest.main()
