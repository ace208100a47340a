from ledgerline import Ledgerline

with Ledgerline() as client:
    run = client.agents.start("ledgerline/writer", "Write a haiku about rain.")
    with client.runs.stream(run["id"]) as stream:
        for event in stream:
            if event["type"] == "run.output_text.delta":
                print(event["data"]["delta"], end="", flush=True)
    print(f"\n{stream.run['status']}", stream.run["usage"]["total_usd"])
