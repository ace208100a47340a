import unittest

import openai
from pydantic import BaseModel

from stage import TEXT_MODEL, asking, client, told

WEATHER = {
    "type": "function",
    "name": "weather",
    "parameters": {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]},
}
CALL = {"name": "weather", "arguments": '{"town": "Bonn"}'}


class Town(BaseModel):
    name: str
    people: int


class WholeAnswers(unittest.TestCase):
    def test_has_all_members_and_the_true_usage(self):
        answer = client().responses.create(model=TEXT_MODEL, input=told(text="Hello world"), instructions="Be brief.")
        self.assertEqual(answer.output_text, "Hello world")
        self.assertEqual((answer.object, answer.status, answer.model), ("response", "completed", TEXT_MODEL))
        self.assertEqual(answer.instructions, "Be brief.")
        self.assertEqual(answer.usage.output_tokens, 2)
        self.assertEqual(answer.usage.total_tokens, answer.usage.input_tokens + 2)
        self.assertTrue(answer._request_id)

    def test_is_incomplete_at_the_token_limit(self):
        answer = client().responses.create(model=TEXT_MODEL, input="Hi", max_output_tokens=16)
        self.assertEqual(answer.status, "incomplete")
        self.assertEqual(answer.incomplete_details.reason, "max_output_tokens")
        self.assertEqual(answer.usage.output_tokens, 16)

    def test_calls_functions_and_takes_their_output(self):
        question = asking(toolCalls=[CALL])
        options = {"tools": [WEATHER], "store": False, "include": ["reasoning.encrypted_content"]}
        first = client().responses.create(model=TEXT_MODEL, input=question, **options)
        call = first.output[0]
        self.assertEqual((call.type, call.name, call.arguments), ("function_call", "weather", CALL["arguments"]))
        result = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
        history = [*question, *(item.model_dump() for item in first.output), result, *asking(text="Sunny.")]
        second = client().responses.create(model=TEXT_MODEL, input=history, **options)
        self.assertEqual(second.output_text, "Sunny.")

    def test_parses_a_json_schema_into_a_type(self):
        text = told(text='{"name": "Bonn", "people": 330000}')
        answer = client().responses.parse(model=TEXT_MODEL, input=text, text_format=Town)
        self.assertEqual(answer.output_parsed, Town(name="Bonn", people=330000))


PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs="


class InputItems(unittest.TestCase):
    """They have members that requests may leave out: the strict client refuses one without."""

    def items_of(self, items, **page):
        answer = client().responses.create(model=TEXT_MODEL, input=[*items, *asking(text="Hello.")])
        return list(client().responses.input_items.list(answer.id, order="asc", **page))[:-1]

    def test_are_whole_although_they_were_sent_without_some_members(self):
        items = self.items_of(
            [
                {"role": "user", "content": [{"type": "input_image", "image_url": PIXEL}]},
                {"role": "assistant", "content": "A pixel."},
                {"role": "assistant", "content": [{"type": "output_text", "text": "One."}]},
                {"type": "function_call", "call_id": "call_1", "name": "weather", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "call_1", "output": "sunny"},
                {"type": "custom_tool_call", "call_id": "call_2", "name": "draw", "input": "a cat"},
                {"type": "custom_tool_call_output", "call_id": "call_2", "output": "done"},
                {"type": "reasoning", "id": "rs_1", "summary": [], "content": None, "encrypted_content": None},
            ]
        )
        self.assertEqual([item.type for item in items][:4], ["message", "message", "message", "function_call"])
        self.assertEqual({item.status for item in items[:7]}, {"completed"})
        self.assertEqual(items[0].content[0].detail, "auto")
        self.assertEqual([(part.text, part.annotations) for part in items[1].content], [("A pixel.", [])])

    def test_are_those_that_references_name(self):
        said = client().responses.create(model=TEXT_MODEL, input=told(text="Rain.")).output[0]
        items = self.items_of([{"type": "item_reference", "id": said.id}])
        self.assertEqual([(item.id, item.content[0].text) for item in items], [(said.id, "Rain.")])

    def test_end_although_one_came_twice(self):
        message = {"type": "message", "id": "msg_1", "role": "user", "content": "Hi"}
        items = self.items_of([message, message], limit=1)
        self.assertEqual([item.content[0].text for item in items], ["Hi", "Hi"])
        self.assertEqual(len({item.id for item in items}), 2)


class OddUpstreams(unittest.TestCase):
    def output_of(self, **choice):
        raw = {"id": "up", "choices": [{"index": 0, "finish_reason": "tool_use", **choice}], "service_tier": "on_demand"}
        return client().responses.create(model=TEXT_MODEL, input=told(raw=raw)).output[0]

    def test_answer_whole_calls_and_numbers(self):
        call = self.output_of(message={"tool_calls": [{"function": {"name": "now"}}]})
        self.assertEqual((call.type, call.name, call.arguments, call.status), ("function_call", "now", "{}", "completed"))
        tokens = [{"token": "a", "logprob": None}]
        part = self.output_of(message={"content": "a"}, logprobs={"content": tokens}).content[0]
        self.assertEqual([(one.logprob, one.top_logprobs) for one in part.logprobs], [(-9999, [])])


class Streams(unittest.TestCase):
    def test_sends_the_events_in_order(self):
        events = list(client().responses.create(model=TEXT_MODEL, input=told(text="Hello world"), stream=True))
        self.assertEqual([event.sequence_number for event in events], list(range(len(events))))
        self.assertEqual(
            [event.type for event in events],
            [
                "response.created",
                "response.in_progress",
                "response.output_item.added",
                "response.content_part.added",
                "response.output_text.delta",
                "response.output_text.delta",
                "response.output_text.done",
                "response.content_part.done",
                "response.output_item.done",
                "response.completed",
            ],
        )
        self.assertEqual(events[-1].response.output_text, "Hello world")
        self.assertEqual(events[-1].response.usage.output_tokens, 2)

    def test_feeds_the_stream_helper(self):
        text = told(text='{"name": "Bonn", "people": 330000}')
        with client().responses.stream(model=TEXT_MODEL, input=text, text_format=Town) as stream:
            deltas = [event.delta for event in stream if event.type == "response.output_text.delta"]
            final = stream.get_final_response()
        self.assertEqual("".join(deltas), final.output_text)
        self.assertEqual(final.output_parsed, Town(name="Bonn", people=330000))

    def test_streams_function_calls(self):
        question = asking(toolCalls=[CALL, CALL])
        with client().responses.stream(model=TEXT_MODEL, input=question, tools=[WEATHER]) as stream:
            done = [event for event in stream if event.type == "response.function_call_arguments.done"]
            final = stream.get_final_response()
        self.assertEqual([event.arguments for event in done], [CALL["arguments"]] * 2)
        self.assertEqual([item.type for item in final.output], ["function_call"] * 2)

    def test_ends_as_failed_when_the_model_breaks(self):
        text = told(fault="halfClose", faultAfterChunks=4)
        kinds = []
        try:
            for event in client().responses.create(model=TEXT_MODEL, input=text, stream=True):
                kinds.append(event.type)
        except openai.APIError:
            kinds.append("error")
        self.assertIn(kinds[-1], ("response.failed", "error"))


if __name__ == "__main__":
    unittest.main()
