from ledgerline import Ledgerline

with Ledgerline() as client:
    with client.recorded() as calls:
        answer = client.api.post_chat_completions(
            {"model": "MODEL_ID", "messages": [{"role": "user", "content": "What is the capital of France?"}]}
        )
    print(answer["choices"][0]["message"]["content"], calls.cost_usd)
    print(client.api.get_platform_billing_balance())
