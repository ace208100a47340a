FILE=$(curl -sS "$BASE_URL/v1/files" -H "Authorization: Bearer $API_KEY" -F purpose=agent_input -F file=@sales.xlsx \
  | grep -o 'file_[0-9A-Za-z]*' | head -1)
curl -sS "$BASE_URL/v1/runs" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" -H "Prefer: wait=60" \
  -d '{"agent": "'"$AGENT"'", "max_cost_usd": 0.1, "input": [
    {"type": "input_text", "text": "Chart the sums by region, and return the totals."},
    {"type": "input_file", "file_id": "'"$FILE"'"}]}'
