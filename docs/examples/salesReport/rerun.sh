# Runs an ended run again from a step, with another version, and shows both side by side: bash rerun.sh run_... 2 aver_...
AGAIN=$(curl -sS "$BASE_URL/v1/runs/$1/rerun" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \
  -H "Prefer: wait=60" -d '{"from_step": '"$2"', "version": "'"$3"'"}' | grep -o 'run_[0-9A-Za-z]*' | head -1)
curl -sS "$BASE_URL/v1/runs/$AGAIN/compare" -H "Authorization: Bearer $API_KEY"
