import os

import instructor
from openai import OpenAI
from pydantic import BaseModel


class City(BaseModel):
    name: str
    rain: bool


client = instructor.from_openai(OpenAI(base_url=os.environ["BASE_URL"] + "/v1", api_key=os.environ["API_KEY"]))
messages = [{"role": "user", "content": "It pours in Rome."}]
print(client.chat.completions.create(model="MODEL_ID", response_model=City, messages=messages))
