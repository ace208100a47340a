import os

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = OpenAIProvider(base_url=os.environ["BASE_URL"] + "/v1", api_key=os.environ["API_KEY"])
guide = Agent(OpenAIChatModel("MODEL_ID", provider=provider), instructions="Be brief.")


@guide.tool_plain
def weather(city: str) -> str:
    """The weather of a city."""
    return f"Heavy rain in {city}"


print(guide.run_sync("Do I need an umbrella in Rome?").output)
