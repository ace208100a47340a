import os

from agents import Agent, Runner, function_tool, set_default_openai_client, set_tracing_disabled
from openai import AsyncOpenAI

set_default_openai_client(AsyncOpenAI(base_url=os.environ["BASE_URL"] + "/v1", api_key=os.environ["API_KEY"]))
# Traces would go to OpenAI.
set_tracing_disabled(True)


@function_tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"Heavy rain in {city}"


guide = Agent(name="Guide", instructions="Be brief.", model="MODEL_ID", tools=[weather])
print(Runner.run_sync(guide, "Do I need an umbrella in Rome?").final_output)
