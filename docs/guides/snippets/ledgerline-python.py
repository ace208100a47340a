import os

from ledgerline import Ledgerline

with Ledgerline(base_url=os.environ["BASE_URL"], api_key=os.environ["API_KEY"]) as client:
    result = client.agents.run("ledgerline/writer", "Write a haiku about rain.")
    print(result.output, result.cost_usd)
