# Changes the draft of an agent and submits it: the present version stays public until the next one is approved. Prints the deployment's id.
# bash publishNext.sh nextVersion.json agent_...
set -eu
call() { curl -sS --fail-with-body -X "$1" "$BASE_URL$2" -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' "${@:3}"; }

call PATCH "/v1/publisher/agents/$2/draft" -H 'If-Match: "draft-1"' -d "@$1" > /dev/null
call POST "/v1/publisher/agents/$2/submit-public" -H 'If-Match: "draft-2"' | grep -o 'dep_[0-9A-Za-z]*' | head -1
