"""An agent instead of a model, with the official client: whole, streamed, and as a response."""

import json
import os

from stage import client

agent = os.environ["AGENT"]
question = json.dumps({"scripted": {"text": "Rain falls."}})
messages = [{"role": "user", "content": question}]

whole = client().chat.completions.create(model=agent, messages=messages)
assert whole.model == agent, whole
assert whole.choices[0].message.content == "Rain falls.", whole
assert whole.choices[0].finish_reason == "stop", whole

stream = client().chat.completions.create(model=agent, messages=messages, stream=True)
pieces = [choice.delta.content or "" for chunk in stream for choice in chunk.choices]
assert "".join(pieces) == "Rain falls.", pieces

response = client().responses.create(model=agent, input=question)
assert response.output_text == "Rain falls.", response
print("The agent answered three times.")
