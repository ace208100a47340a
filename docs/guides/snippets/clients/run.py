from ledgerline import Ledgerline

with Ledgerline() as client:
    result = client.agents.run("ledgerline/writer", "Write a haiku about rain.", max_cost_usd=0.05)
    print(result.output, result.cost_usd)
