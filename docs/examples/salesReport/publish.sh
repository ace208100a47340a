# Drafts an agent of a JSON file, freezes it into a version, and submits that for review. Prints the agent's id and the deployment's.
# bash publish.sh agent.json        with BASE_URL, API_KEY (scope publisher) and NAMESPACE in the environment
set -eu
post() { curl -sS --fail-with-body -X POST "$BASE_URL$1" -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' "${@:2}"; }

draft=$(sed -e "s/NAMESPACE/$NAMESPACE/" -e "1s/{/{ \"namespace\": \"$NAMESPACE\",/" "$1")
agent=$(post /v1/publisher/agents -d "$draft" | grep -o '"agent_[0-9A-Za-z]*"' | head -1 | tr -d '"')
post "/v1/publisher/agents/$agent/submit-public" -H 'If-Match: "draft-1"' | grep -o '"dep_[0-9A-Za-z]*"' | head -1 | tr -d '"' | sed "s/^/$agent /"
