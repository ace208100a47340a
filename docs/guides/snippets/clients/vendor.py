from ledgerline import Ledgerline

openai = Ledgerline().openai()
stream = openai.chat.completions.create(
    model="MODEL_ID",
    messages=[{"role": "user", "content": "What is the capital of France?"}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
