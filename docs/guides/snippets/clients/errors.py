from ledgerline import APIError, InsufficientBalanceError, Ledgerline, RunFailedError

with Ledgerline() as client:
    try:
        client.agents.run("acme/unknown", "Write a haiku about rain.")
    except InsufficientBalanceError as error:
        print(f"Top up first: {error}")
    except RunFailedError as error:
        print(error.code, error.run["id"])
    except APIError as error:
        print(error.status, error.code, error.param, error.request_id)
