import { TEST_FAULTS } from '../../../providers/testFault.ts';
import { DECLINES } from '../../testMode/testPayment.ts';
import type { Guide } from './html.ts';

const faults = Object.entries(TEST_FAULTS)
  .map(([name, what]) => `\`${name}\`: ${what}`)
  .join('; ');
const declines = Object.entries(DECLINES)
  .map(([cents, reason]) => `\`.${cents.padStart(2, '0')}\` (${reason})`)
  .join(', ');

/** Calls that cost test money. */
export const testMode: Guide = {
  id: 'test-mode',
  title: 'Test your own programs',
  parts: [
    'A test key begins with `sk_test_` and belongs to the test workspace of its workspace. Its calls go the same way as live ones, with the same limits, refunds and bills, but rules stand in for the models, and test money pays. The same request has the same answer; usage and prices are the true ones.',
    {
      code: `curl -sS "$BASE_URL/console/v1/keys" -H "Authorization: Bearer $MANAGE_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "ci", "mode": "test"}'
curl -sS "$BASE_URL/platform/v1/billing/checkout" -H "Authorization: Bearer $TEST_KEY" -H "Content-Type: application/json" -d '{"amount": 10}'`,
    },
    `A payment clears at once. Amounts that end with ${declines} are declined: 402 \`card_declined\`, and the event \`topup.failed\`.`,
    `The header \`x-test-fault\` asks for a failure of the upstream. ${faults}. With \`; first\` only the first upstream fails, and the next one answers. Live keys are refused with it (\`test_mode_only\`). A batch or run keeps it as \`test_fault\` in its metadata, for all of its calls.`,
    'A chat that offers tools calls the first one, with arguments filled from its schema, and then answers with its result. A last message that is the JSON `{"scripted": {"text": "…", "toolCalls": [{"name": "…", "arguments": "{}"}]}}` says the answer itself.',
    '`POST /platform/v1/test_clock/advance` moves the clock of the test workspace ahead, by `seconds` or `to` a time, never back: spend limits begin their next day or month; keys, files, quotes and client secrets expire; windows of batches end. Answers, calls, runs, payments, events and entries of the ledger have its times, so that statements, usage and the overview have its days and months: what is spent before a move past the end of a month is billed in that month, and what is spent after it in the next, which opens with the balance of the last. The signed root of a day follows once the real day is over.',
    'When something is due on the way, the answer has the `status` `advancing`: the clock goes from one due time to the next, and waits at each until the runs and deliveries that it has woken are done, so that they happen in the order in which they would. Runs with `start_after_seconds` begin, questions without an answer end their runs, webhooks are tried again, and schedules fire each of their times, under their overlap policy and without jitter. Read `GET /platform/v1/test_clock` until its `status` is `ready`. The same `to` a second time changes nothing, and a move that a restart interrupts goes on. Once its clock was moved, the schedules of a test workspace fire by moves alone.',
    'A test key with the scopes `llm` and `publisher` publishes agents for its test workspace alone: no other workspace finds or runs them, no list shows them, and their namespaces meet no other ones. Drafts, versions, test runs, events and webhooks are as in a live workspace. The automatic checks read the configuration, and run nothing. Then the review ends as the header `x-test-review` of the submission says: `approve` (also without the header), `reject` or `changes`. With `wait` it stays in review, so that you can withdraw it, or end it later: `POST /v1/publisher/deployments/{id}/test_review` with `{"outcome": "approve"}`. A dearer version becomes the default after its notice, by the test clock. The steps of a rollout count the workspace’s own runs, and are judged by the test clock: when a step’s time is over, and then once a day.',
    {
      code: `AGENT=$(curl -sS "$BASE_URL/v1/publisher/agents" -H "Authorization: Bearer $TEST_KEY" -H "Content-Type: application/json" \\
  -d '{"namespace": "acme", "slug": "poet", "name": "Poet", "description": "Writes verses about anything.", "instructions": "You write verses.",
    "categories": ["writing"], "example_prompts": ["A verse about rain"],
    "pricing": {"minimum_cost_usd": 0, "maximum_cost_usd": 1, "rates": [{"meter": "model_output_tokens", "price_usd": 0.0001}]}}' | grep -o 'agent_[0-9A-Za-z]*' | head -1)
curl -sS -X POST "$BASE_URL/v1/publisher/agents/$AGENT/submit-public" -H "Authorization: Bearer $TEST_KEY" -H 'If-Match: "draft-1"' -H "x-test-review: approve"
curl -sS "$BASE_URL/v1/runs" -H "Authorization: Bearer $TEST_KEY" -H "Content-Type: application/json" -H "Prefer: wait=30" -d '{"agent": "acme/poet", "input": "Rain"}'`,
    },
    'Sockets work as with a live key: realtime sessions, client secrets, transcription, and both sockets of speech. A session whose model is at an upstream is led by rules that speak the same protocol: answers are those of a chat, spoken as a tone; a turn is sound that is louder than silence, and is written down as “This is a test transcript.” Send `x-test-fault` with the handshake. Where an upstream leads the session, failures before an answer refuse the handshake, and others come in each response; in all other sockets they come in each call.',
    'A test workspace has no cards and no payouts: these answer 409 `live_mode_only`.',
  ],
};
