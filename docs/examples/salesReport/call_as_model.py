import base64, os
from openai import OpenAI  # pip install openai

client = OpenAI(base_url=os.environ["BASE_URL"] + "/v1", api_key=os.environ["API_KEY"])
with open("sales.xlsx", "rb") as file:
    workbook = base64.b64encode(file.read()).decode()
content = [
    {"type": "text", "text": "Chart the sums by region, and return the totals."},
    {"type": "file", "file": {"filename": "sales.xlsx", "file_data": f"data:application/octet-stream;base64,{workbook}"}},
]
answer = client.chat.completions.create(
    model=os.environ["AGENT"],
    messages=[{"role": "user", "content": content}],
    metadata={"max_cost_usd": "0.1"},
)
print(answer.choices[0].message.content)
for file in answer.run["files"]:
    client.files.content(file["file_id"]).write_to_file(file["filename"])
