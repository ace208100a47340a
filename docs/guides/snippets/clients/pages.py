from ledgerline import Ledgerline

with Ledgerline() as client:
    for run in client.runs.list(status="completed"):
        print(run["id"], run["agent"], run["usage"]["total_usd"])
