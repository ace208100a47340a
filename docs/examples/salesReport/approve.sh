# What an operator does with a submission: looks at its trials, and approves it.
# bash approve.sh dep_...          with BASE_URL and OPERATOR_KEY (scope operator) in the environment
set -eu
call() { curl -sS --fail-with-body -X "$1" "$BASE_URL$2" -H "Authorization: Bearer $OPERATOR_KEY" -H 'Content-Type: application/json' "${@:3}"; }

call GET "/console/v1/deployments/$1/trials"
echo
call POST "/console/v1/deployments/$1/approve" -d '{}'
