import os

from langchain_openai import ChatOpenAI
from pydantic import BaseModel


class City(BaseModel):
    name: str
    rain: bool


model = ChatOpenAI(
    model="MODEL_ID",
    api_key=os.environ["API_KEY"],
    base_url=os.environ["BASE_URL"] + "/v1",
)
print(model.with_structured_output(City).invoke("It pours in Rome."))
