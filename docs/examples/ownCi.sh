# Test mode in a job of your CI: a test key, test money, OpenAI's client, failures, a day that passes, and the bill.
# Run it with bash in the folder of Ledgerline after `npm start`, or copy the lines that you need.
export BASE="${BASE:-http://127.0.0.1:4000}"
KEY=$(npm run -s admin -- keys create --test --name ci --scopes llm,voice,batch | grep -o 'sk_test_[0-9A-Za-z]*')
ask() { curl -s "$BASE$1" -H "authorization: Bearer $KEY" -H 'content-type: application/json' "${@:2}"; echo; }
ask /platform/v1/billing/checkout -d '{"amount": 10}'                                     # paid at once; 10.02, 10.41 and 10.51 are declined
export OPENAI_BASE_URL=$BASE/v1 OPENAI_API_KEY=$KEY MODEL=$(ask /v1/models | grep -o '"id":"[^"]*"' | head -1 | cut -d '"' -f 4)
node --input-type=module -e '
  import OpenAI from "openai";
  const messages = [{ role: "user", content: "How much is a call?" }];
  const answer = await new OpenAI().chat.completions.create({ model: process.env.MODEL, messages });
  console.log(answer.choices[0].message.content, answer.usage);
'
CHAT='{"model": "'$MODEL'", "messages": [{"role": "user", "content": "Hello"}]}'
ask /v1/chat/completions -d "$CHAT" -H 'x-test-fault: upstream_500'                       # fails as it would in earnest, and costs nothing
ask /v1/chat/completions -d "$CHAT" -H 'x-test-fault: upstream_500; first' -o /dev/null   # the next upstream answers
ask /platform/v1/test_clock/advance -d '{"seconds": 86400}'                               # a day: what is due happens, spend limits begin anew
ask /platform/v1/test_clock                                                               # "ready" once all of that has happened
ask /platform/v1/billing/ledger                                                           # the bill
ask /platform/v1/billing/balance
