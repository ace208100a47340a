import unittest

import openai
from pydantic import BaseModel

from stage import TEXT_MODEL, asking, client

WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a town.",
        "parameters": {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]},
    },
}


class Town(BaseModel):
    name: str
    people: int


def raw(**choice):
    """An upstream's whole answer with this choice."""
    return asking(raw={"id": "up", "choices": [{"index": 0, **choice}], "service_tier": "on_demand"})


class OddUpstreams(unittest.TestCase):
    """What compatible vendors leave out or call otherwise has the forms that the strict client accepts."""

    def ask(self, **choice):
        return client().chat.completions.create(model=TEXT_MODEL, messages=raw(**choice)).choices[0]

    def pieces(self, *calls):
        first = {"id": "up", "choices": [{"index": 0, "delta": {"tool_calls": list(calls)}}], "service_tier": "on_demand"}
        chunks = client().chat.completions.create(model=TEXT_MODEL, messages=asking(raw=first), stream=True)
        return [piece for chunk in chunks for piece in chunk.choices[0].delta.tool_calls or []]

    def test_end_for_a_reason_of_openai(self):
        for sent, reason in {"eos": "stop", "MAX_TOKENS": "length", "tool_use": "tool_calls", "": "stop"}.items():
            messages = asking(text="Hi", finishReason=sent)
            for stream in (False, True):
                answer = client().chat.completions.create(model=TEXT_MODEL, messages=messages, stream=stream)
                last = list(answer)[-1] if stream else answer
                self.assertEqual(last.choices[0].finish_reason, reason, (sent, stream))
        answer = client().completions.create(model=TEXT_MODEL, prompt=messages[0]["content"].replace('""', '"tool_use"'))
        self.assertEqual(answer.choices[0].finish_reason, "stop")

    def test_call_tools_with_an_id_a_type_and_arguments(self):
        for given in ({}, {"id": None, "type": None}, {"id": ""}):
            call = self.ask(message={"tool_calls": [{**given, "function": {"name": "now"}}]}).message.tool_calls[0]
            self.assertTrue(call.id)
            self.assertEqual((call.type, call.function.name, call.function.arguments), ("function", "now", "{}"))

    def test_number_streamed_calls(self):
        def call(name, **members):
            return {"type": "function", "function": {"name": name, "arguments": "{}"}, **members}

        for calls in ([call("a"), call("b")], [call("a", index=0, id="1"), call("b", index=0, id="2")]):
            pieces = self.pieces(*calls)
            self.assertEqual([(piece.index, piece.function.name) for piece in pieces], [(0, "a"), (1, "b")])

    def test_have_log_probabilities_that_are_numbers(self):
        tokens = [{"token": "a", "logprob": -1}, {"token": "b", "logprob": None, "top_logprobs": None}]
        found = self.ask(message={"content": "ab"}, logprobs={"content": tokens}).logprobs.content
        self.assertEqual([(one.logprob, one.top_logprobs) for one in found], [(-1, []), (-9999, [])])


class WholeAnswers(unittest.TestCase):
    def test_has_all_members_and_the_true_usage(self):
        answer = client().chat.completions.create(model=TEXT_MODEL, messages=asking(text="Hello world"))
        self.assertEqual(answer.object, "chat.completion")
        self.assertEqual(answer.model, TEXT_MODEL)
        self.assertTrue(answer.id.startswith("chatcmpl-"))
        self.assertEqual(answer.choices[0].message.content, "Hello world")
        self.assertEqual(answer.choices[0].finish_reason, "stop")
        self.assertEqual(answer.usage.completion_tokens, 2)
        self.assertEqual(answer.usage.total_tokens, answer.usage.prompt_tokens + 2)
        self.assertTrue(answer._request_id)

    def test_takes_every_accepted_parameter(self):
        answer = client().chat.completions.create(
            model=TEXT_MODEL,
            messages=[{"role": "system", "content": "Be brief."}, *asking(text="one two three stop four")],
            temperature=0.1,
            top_p=0.9,
            seed=7,
            max_completion_tokens=50,
            stop=[" stop"],
            presence_penalty=0.1,
            frequency_penalty=0.1,
            logit_bias={"1": -1},
            logprobs=True,
            top_logprobs=0,
            n=2,
            user="u",
            modalities=["text"],
            response_format={"type": "text"},
            extra_body={"functions": None, "audio": None},
        )
        self.assertEqual([choice.message.content for choice in answer.choices], ["one two three"] * 2)
        self.assertEqual([choice.index for choice in answer.choices], [0, 1])
        self.assertEqual(answer.choices[0].logprobs.content[0].token, "one")
        self.assertEqual(answer.usage.completion_tokens, 6)

    def test_ends_at_the_token_limit(self):
        answer = client().chat.completions.create(model=TEXT_MODEL, messages=asking(), max_tokens=3)
        self.assertEqual(answer.choices[0].finish_reason, "length")
        self.assertEqual(answer.usage.completion_tokens, 3)

    def test_counts_reasoning_as_output(self):
        messages = asking(reasoning="Let me think", text="Yes")
        usage = client().chat.completions.create(model=TEXT_MODEL, messages=messages).usage
        self.assertEqual(usage.completion_tokens_details.reasoning_tokens, 3)
        self.assertEqual(usage.completion_tokens, 4)

    def test_gives_parallel_tool_calls_and_takes_their_answers(self):
        calls = [{"name": "weather", "arguments": '{"town": "%s"}' % town} for town in ("Bonn", "Köln")]
        messages = asking(toolCalls=calls)
        first = client().chat.completions.create(model=TEXT_MODEL, messages=messages, tools=[WEATHER])
        self.assertEqual(first.choices[0].finish_reason, "tool_calls")
        message = first.choices[0].message
        self.assertIsNone(message.content)
        self.assertEqual([call.function.arguments for call in message.tool_calls], [c["arguments"] for c in calls])
        answers = [{"role": "tool", "tool_call_id": call.id, "content": "sunny"} for call in message.tool_calls]
        history = [*messages, message.model_dump(exclude_none=True), *answers, *asking(text="Sunny.")]
        second = client().chat.completions.create(model=TEXT_MODEL, messages=history, tools=[WEATHER])
        self.assertEqual(second.choices[0].message.content, "Sunny.")

    def test_parses_a_json_schema_into_a_type(self):
        messages = asking(text='{"name": "Bonn", "people": 330000}')
        answer = client().chat.completions.parse(model=TEXT_MODEL, messages=messages, response_format=Town)
        self.assertEqual(answer.choices[0].message.parsed, Town(name="Bonn", people=330000))

    def test_parses_tool_arguments_into_a_type(self):
        messages = asking(toolCalls=[{"name": "Town", "arguments": '{"name": "Bonn", "people": 1}'}])
        tools = [openai.pydantic_function_tool(Town)]
        answer = client().chat.completions.parse(model=TEXT_MODEL, messages=messages, tools=tools)
        parsed = answer.choices[0].message.tool_calls[0].function.parsed_arguments
        self.assertEqual(parsed, Town(name="Bonn", people=1))


class Streams(unittest.TestCase):
    def chunks(self, script, **options):
        return list(
            client().chat.completions.create(model=TEXT_MODEL, messages=asking(**script), stream=True, **options)
        )

    def test_begins_with_the_role_ends_with_the_reason_and_hides_usage(self):
        chunks = self.chunks({"text": "Grüße, 世界 👩‍🚀!"})
        self.assertEqual(chunks[0].choices[0].delta.role, "assistant")
        self.assertEqual("".join(c.choices[0].delta.content or "" for c in chunks), "Grüße, 世界 👩‍🚀!")
        reasons = [chunk.choices[0].finish_reason for chunk in chunks]
        self.assertEqual(reasons, [None] * (len(chunks) - 1) + ["stop"])
        self.assertEqual({chunk.usage for chunk in chunks}, {None})
        self.assertEqual(len({(chunk.id, chunk.created, chunk.model) for chunk in chunks}), 1)

    def test_tells_usage_in_one_last_chunk_when_asked(self):
        chunks = self.chunks({"text": "Hello world"}, stream_options={"include_usage": True})
        self.assertEqual({chunk.usage for chunk in chunks[:-1]}, {None})
        self.assertEqual(chunks[-1].choices, [])
        self.assertEqual(chunks[-1].usage.completion_tokens, 2)

    def test_streams_several_choices(self):
        chunks = self.chunks({"text": "Hello world"}, n=2)
        for index in range(2):
            choices = [choice for chunk in chunks for choice in chunk.choices if choice.index == index]
            self.assertEqual("".join(choice.delta.content or "" for choice in choices), "Hello world")
            self.assertEqual(choices[-1].finish_reason, "stop")

    def test_streams_tool_calls_in_pieces(self):
        calls = [{"name": "weather", "arguments": '{"town": "%s"}' % town} for town in ("Bonn", "Köln")]
        chunks = self.chunks({"toolCalls": calls}, tools=[WEATHER])
        deltas = [d for c in chunks for choice in c.choices for d in choice.delta.tool_calls or []]
        for index, call in enumerate(calls):
            pieces = [delta for delta in deltas if delta.index == index]
            self.assertTrue(pieces[0].id)
            self.assertEqual(pieces[0].function.name, "weather")
            self.assertEqual({piece.id for piece in pieces[1:]}, {None})
            self.assertEqual("".join(piece.function.arguments or "" for piece in pieces), call["arguments"])
        self.assertEqual(chunks[-1].choices[0].finish_reason, "tool_calls")

    def test_feeds_the_stream_helper(self):
        messages = asking(text='{"name": "Bonn", "people": 330000}')
        with client().chat.completions.stream(model=TEXT_MODEL, messages=messages, response_format=Town) as stream:
            kinds = {event.type for event in stream}
            final = stream.get_final_completion()
        self.assertLessEqual({"chunk", "content.delta", "content.done"}, kinds)
        self.assertEqual(final.choices[0].message.parsed, Town(name="Bonn", people=330000))

    def test_raises_when_the_model_breaks_in_mid_stream(self):
        for fault in ("malformed", "halfClose", "errorFrame", "endEarly"):
            with self.subTest(fault), self.assertRaises(openai.APIError) as raised:
                self.chunks({"fault": fault, "faultAfterChunks": 4})
            self.assertNotIn("engine", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
