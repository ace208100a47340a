import { readFileSync } from 'node:fs';
import { BATCH_LINES_MAX, RETENTION_DAYS, RUN_WAIT_SECONDS_MAX } from '../../../base/limits.ts';
import { COMPLETION_HOURS } from '../../../db/batches/batches.ts';
import { KEY_HOURS } from '../../../db/answers/idempotency.ts';
import { QUOTE_MINUTES } from '../../../db/runs/cost/quotes.ts';
import { runEventTable } from '../../runs/eventSchemas.ts';
import { example } from './example.ts';
import { filesGuide } from './filesGuide.ts';
import type { Guide } from './html.ts';
import { agentCalls } from './agentGuide.ts';
import { plugins } from './pluginGuide.ts';
import { publishing } from './publishGuide.ts';
import { retriesAndStreams } from './retryGuide.ts';
import { schedules } from './scheduleGuide.ts';
import { testMode } from './testGuide.ts';
import { webhooks } from './webhookGuide.ts';

/** Guides to features that take more than one call or may surprise. Only features that this installation has. */
export const guidesOf = (model: string): Guide[] => [
  streaming(model),
  speechInput,
  realtime,
  batches(model),
  runs,
  agentCalls,
  plugins,
  publishing,
  reruns,
  derivedKeys,
  testMode,
  schedules,
  webhooks,
  idempotency,
  retriesAndStreams(model),
  costs,
  retries,
  filesGuide,
  verifiableBill,
];

const streaming = (model: string): Guide => ({
  id: 'streaming',
  title: 'Stream an answer',
  parts: [
    'Chat, completions and responses stream with `"stream": true`, as server-sent events of OpenAI’s protocol. `stream_options.include_usage` adds a last chunk with the token counts.',
    {
      code: `curl -sSN "$BASE_URL/v1/chat/completions" \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "stream": true, "stream_options": {"include_usage": true},
       "messages": [{"role": "user", "content": "Count to five."}]}'`,
    },
    'An error after the first byte comes as a chunk `{"error": {…}}`, which OpenAI’s clients raise; a failed stream costs nothing. A client that disconnects pays for what was produced until then, and can resume the stream.',
    'When the money ends during an answer, it ends with `finish_reason: length`, and `x-truncated` on a whole answer names the limit. Speech streams its bytes the same way: they arrive while they are produced.',
  ],
});

/** The sockets whose text is spoken while it arrives. */
const speechInput: Guide = {
  id: 'speech-input',
  title: 'Speak text while it is written',
  parts: [
    'Connect to `wss://…/voiceapi/v1/text-to-speech/{voice_id}/stream-input` and send text in pieces, for example the tokens of a model’s answer. Sound comes back while you send. The protocol is ElevenLabs’, and so is its Python client (`convert_realtime`, which always uses `wss:`).',
    {
      code: `import asyncio, base64, json, os, websockets  # pip install websockets

async def main():
    url = os.environ["BASE_URL"].replace("http", "ws", 1) + "/voiceapi/v1/text-to-speech/alloy/stream-input"
    async with websockets.connect(url, additional_headers={"xi-api-key": os.environ["API_KEY"]}) as socket:
        await socket.send(json.dumps({"text": " ", "generation_config": {"chunk_length_schedule": [50]}}))
        for word in "This sentence is sent word by word, and spoken as one. ".split():
            await socket.send(json.dumps({"text": word + " "}))
        await socket.send(json.dumps({"text": ""}))
        with open("speech.mp3", "wb") as file:
            async for frame in socket:
                file.write(base64.b64decode(json.loads(frame)["audio"] or ""))

asyncio.run(main())`,
    },
    'The key is sent in a header, in the subprotocol `textapi-insecure-api-key.{key}` (pages in a browser), or in the first frame as `x_api_key`, `xi_api_key` or `authorization`: within 10 seconds, in at most 64 KiB. With a key before the upgrade, 401, 402, 403 and 429 are plain HTTP answers.',
    'Query: `model_id`, `output_format` (all of ElevenLabs’), `language_code`, `seed`, `apply_text_normalization`, `enable_logging`, `inactivity_timeout` (20 seconds, at most 180), `sync_alignment`, `auto_mode`. What no engine supports is refused by name, SSML included.',
    'The first frame is `{"text": " "}`, with `voice_settings` and `generation_config` where you need them. Text waits until a chunk is long enough: 120 characters for the first, then 160, 250, 290 (`chunk_length_schedule`, each 50 to 500). A chunk ends after a sentence, else after a clause or a word, so end each frame with a space where a word ends. `"try_trigger_generation": true` speaks what waits from 50 characters on, `"flush": true` all of it, and `auto_mode=true` each sentence as soon as it is whole. `{"text": ""}` speaks the rest and ends.',
    'Each frame of sound is `{"audio": "…", "isFinal": null, "alignment": {"chars", "charStartTimesMs", "charDurationsMs"}}`. Times count from the start of that frame’s sound. After a flush comes `{"flushed": true}`, when all of its sound has been sent. The last frame is `{"audio": null, "isFinal": true, "character_count": …, "cost_usd": …}`; then the server closes with 1000. An error is `{"message", "error", "code", "param"}` and a close with 1008, or 1011 when an engine fails.',
    'Each chunk is one paid call: its money is held before it is spoken, and only spoken characters are billed. A client that disconnects pays for what was spoken until then. The history keeps each speech as one item.',
    '`…/multi-stream-input` carries up to 5 speeches at once: name each in `context_id`, and read it in `contextId`. `{"context_id": "a", "close_context": true}` ends one without what was not flushed, for a listener who interrupts; an empty text keeps one alive; `{"close_socket": true}` speaks the rest and ends the socket.',
  ],
};

const realtime: Guide = {
  id: 'realtime',
  title: 'Talk with a model over a socket',
  parts: [
    'OpenAI’s realtime protocol over `wss://HOST/v1/realtime?model=gpt-realtime`. The key goes into a header, or from a browser into the subprotocol `textapi-insecure-api-key.KEY` beside `realtime`. A missing key, an empty balance, a missing scope or a used-up limit is refused with 401, 402, 403 or 429 before the socket opens. A key needs the scope `voice`, and the socket uses one of its places until it is closed.',
    {
      code: readFileSync(new URL('snippets/realtime.mjs', import.meta.url), 'utf8').trimEnd(),
    },
    'OpenAI’s Node client needs TLS for this: `new OpenAIRealtimeWS({ model: "gpt-realtime" }, client)` opens `wss:` whatever its base URL is, and so do older Python clients. Without TLS, as on your own machine, use the code above in Node, and give Python’s client `websocket_base_url="ws://…/v1"`.',
    'Sound is `audio/pcm`: 16-bit samples at 24 kHz in base64, in both directions. `input_audio_buffer.append` adds input. With `turn_detection` of type `server_vad` (`threshold`, `prefix_padding_ms`, `silence_duration_ms`, `idle_timeout_ms`, `create_response`, `interrupt_response`) the service finds the turns, stops an answer when the user speaks, and answers by itself; with null, send `input_audio_buffer.commit` and `response.create`. Other types of turn detection, `audio/pcmu` and `audio/pcma` are refused.',
    'An answer comes as `response.output_text.delta`, or as `response.output_audio.delta` with `response.output_audio_transcript.delta`: a sentence is spoken while the next one is written. `response.cancel` ends it; `conversation.item.truncate` removes what the user has not heard. Set `audio.input.transcription` to get transcripts of the input, or open the socket with `?intent=transcription` for nothing else. `OpenAI-Beta: realtime=v1` gives the earlier names.',
    'Something refused is an `error` event with the `event_id` of yours; the session stays as it was. Billed are minutes of input, settled for each ten seconds, and the tokens and spoken characters of each response, when it is done, cancelled, or its client has left. An empty balance or a reached spend limit ends the session with an `error` and close code 1008, a revoked key likewise; after 3,600 seconds it ends with `session_expired` and 1000. A message has at most 1 MiB, a turn 300 seconds.',
  ],
};

const runs: Guide = {
  id: 'runs-and-events',
  title: 'Run an agent and follow its events',
  parts: [
    `A run is durable: it goes on when your connection ends, and when a process of the service does. \`POST /v1/runs\` answers 202 at once; \`Prefer: wait=30\` waits for the end, at most ${RUN_WAIT_SECONDS_MAX} seconds. A run never costs more than its \`max_cost_usd\`, and a failed one costs nothing.`,
    {
      code: `RUN=$(curl -sS "$BASE_URL/v1/runs" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"agent": "ledgerline/writer", "input": "Write a haiku about rain.", "max_cost_usd": 0.05}' \\
  | grep -o 'run_[0-9A-Za-z]*' | head -1)
curl -sSN "$BASE_URL/v1/runs/$RUN/events" -H "Authorization: Bearer $API_KEY"`,
    },
    'Each event has an `id`. After a lost connection, send the last one you have in `Last-Event-ID` (a browser’s `EventSource` does it by itself): the stream continues right after it, without a gap and without a repeat. A reader that already has the last event gets 204.',
    {
      code: `curl -sSN "$BASE_URL/v1/runs/$RUN/events" -H "Authorization: Bearer $API_KEY" -H "Last-Event-ID: evt_…"`,
    },
    'A program that follows a run needs four rules: send `Last-Event-ID` on each reconnection; put a delta at its `offset`; a text is replaced by its `run.output_text.done`, and a retried step (`attempt`) writes under a new `item_id`, unless it goes on with a text that a limit cut; stop at one of the last four types, or at 204. In full, without dependencies:',
    { code: example('followRun.ts') },
    { code: example('follow_run.py') },
    'All types, which also have schemas in the OpenAPI document (`RunEvent`):',
    {
      head: ['Type', 'When', '`data`'],
      rows: runEventTable.map(({ type, when, members }) => [`\`${type}\``, when, members.join(', ')]),
    },
    '`GET /v1/runs/{run_id}/steps` lists what each step did: arguments, result, attempts, times, tokens and cost; `…/steps/{step_id}` has the whole result.',
    'With `Accept: application/json` the same events come as a list. `run.requires_action` means that the run waits for you: answer with `POST /v1/runs/{run_id}/input`, by `{"type": "text", "text": "…"}` or `{"type": "raise_limit", "max_cost_usd": 0.1}`. What a plugin needs (`plugin_…`) is given elsewhere: see “Give plugins what they need”.',
    `Events are kept for ${RETENTION_DAYS} days after the run. \`POST /v1/runs/{run_id}/cancel\` ends a run; it pays for what was produced.`,
    'An agent whose version grants it other agents (`agents`) may call them. Each call is a run of your workspace with `parent_run_id`, billed as its own, and its money is taken out of the calling run’s hold: all of them together never cost more than the first run’s `max_cost_usd`. The calling step has `child_run`, the calling run `usage.children_usd`. Agents call each other three levels deep; a cancellation ends the runs below first.',
  ],
};

const reruns: Guide = {
  id: 'reruns-and-quotes',
  title: 'Run again from a step, and know the price before',
  parts: [
    'A run that has ended, for example failed in its third step, is run again from there: the results of the steps before are reused. They cost nothing more; those of a failed run, which was not billed, are paid by the new run when it begins, and are shown from then on. It may get another `input`, `version` or limit.',
    {
      code: `curl -sS "$BASE_URL/v1/runs/$RUN/rerun" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"from_step": 3}'
curl -sS "$BASE_URL/v1/runs/$NEW_RUN/compare" -H "Authorization: Bearer $API_KEY"`,
    },
    'The new run works in a copy of the session, so that the first run and its files stay as they are: with the conversation before that run, and with each file’s content as it was before the step. Names and places of files are the present ones; files that were added later are missing. `rerun_of` names the run and the step; reused steps have `reused_from` and the event `run.step.reused`. An answer of yours is reused like the result of a tool. From step 1 a rerun reuses nothing but the session.',
    `A step can be reused when it has a result: 422 says from which steps a run can go on. A run that has not ended is 409 \`run_not_terminal\`; one whose content, session or files were deleted is 410 \`content_deleted\` (content is kept for ${RETENTION_DAYS} days).`,
    '`GET /v1/runs/{run_id}/compare` pairs the steps of two runs: the same, changed, or only in one of them; with outputs, tokens, times and costs. `with` names the other run; without it, it is the run that was repeated.',
    {
      code: `curl -sS "$BASE_URL/v1/runs/quote" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"agent": "ledgerline/writer", "input": "Write a haiku about rain."}'`,
    },
    `A quote says what half (\`p50_usd\`) and nine tenths (\`p90_usd\`) of earlier runs would cost at today’s price, and the most that this one costs (\`max_usd\`). \`based_on\` says whether these were runs of this version, of the agent’s other versions, or, with fewer than five, only the price list. Its price holds for ${QUOTE_MINUTES} minutes: send its id as \`quote_id\` to \`POST /v1/runs\`, and the same version runs at it, also when a dearer one has gone live. Later it is 409 \`quote_expired\`.`,
  ],
};

const derivedKeys: Guide = {
  id: 'derived-keys',
  title: 'Make narrower keys of a key',
  parts: [
    'A key makes keys that may do less, for a program, a customer or a night: some of its scopes, a budget, a time, some agents. It needs no `manage` scope, and the new key may make others, four levels deep.',
    {
      code: `curl -sS "$BASE_URL/platform/v1/keys/derive" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "night job", "scopes": ["agents"], "spend_limit": 5, "expires_at": "2030-01-01T06:00:00Z", "allowed_agents": ["ledgerline/writer"]}'`,
    },
    'The answer has the secret, once. What is left out is as the calling key has it; what is more than it may do is 422 with the member’s name. `spend_limit` is a total, or for each `spend_limit_period`. A run of another agent is 403 `agent_not_allowed`.',
    'What a key spends counts against its own limit and against those of all keys above it, in the admission of each call and run: keys of one parent cannot spend more together than it may. `GET /platform/v1/keys` lists each with its `parent_id`; its `spend_daily` and `spend_monthly` are its own, what is left of a limit counts the keys below.',
    '`DELETE /platform/v1/keys/{key_id}` revokes a key that the calling key has made. A revoked key takes all keys below it with it within a second: calls are refused, sockets closed, runs cancelled. When a key is narrowed (`PATCH /console/v1/keys/{key_id}`: scopes, limits, addresses, `allowed_agents`), all keys below it are narrowed within the same second; they stay so when it is widened again. When it is rotated, they keep their secrets.',
  ],
};

const batches = (model: string): Guide => ({
  id: 'batches',
  title: 'Run a batch',
  parts: [
    `A batch runs up to ${BATCH_LINES_MAX.toLocaleString('en-US')} chat, completion, response or embedding calls within ${COMPLETION_HOURS} hours, at the batch price of their models. Each line of its file is a call with an id of your own:`,
    {
      code: `printf '%s\\n' '{"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "${model}", "max_tokens": 20,
 "messages": [{"role": "user", "content": "Hello."}]}}' | tr -d '\\n' > calls.jsonl
FILE=$(curl -sS "$BASE_URL/v1/files" -H "Authorization: Bearer $API_KEY" -F purpose=batch -F file=@calls.jsonl \\
  | grep -o 'file_[0-9A-Za-z]*' | head -1)
curl -sS "$BASE_URL/v1/batches" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"input_file_id": "'$FILE'", "endpoint": "/v1/chat/completions", "completion_window": "24h"}'`,
    },
    'Poll `GET /v1/batches/{batch_id}`, or subscribe a webhook to `batch.completed`. Answers are in the file `output_file_id`, failed lines in `error_file_id`, each with its `custom_id` and in the order of the file. A file with errors runs no line: the batch is `failed`, and `errors` names the lines.',
    'Each answered line is billed once, when it is answered. `POST /v1/batches/{batch_id}/cancel` finishes what runs; the other lines are in the error file as `batch_cancelled`. When the money is used up they are there as `insufficient_balance`: top up, and send them again.',
  ],
});

const idempotency: Guide = {
  id: 'idempotency',
  title: 'Repeat a request safely',
  parts: [
    `Send \`Idempotency-Key\` with a value of your own, for example a UUID. For ${KEY_HOURS} hours the same request with the same key is carried out and billed once; each repeat gets the stored answer with \`idempotent-replayed: true\`. A failure of the service (5xx) or a rate limit (429) is not stored.`,
    'The same key with another body is 409 `idempotency_conflict`. While the first request still runs it is 409 `idempotency_in_progress`, with `retry-after`. Keys count for one workspace, method and path. Operations that read the header list it under Headers.',
    {
      code: `curl -sS "$BASE_URL/v1/runs" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-4711-summary" \\
  -d '{"agent": "ledgerline/writer", "input": "Write a haiku about rain."}'`,
    },
    'A call of a model keeps its answer for ten minutes: see “Retries and resumed streams”.',
  ],
};

const costs: Guide = {
  id: 'costs',
  title: 'Know what a call costs',
  parts: [
    'The balance is prepaid. A call holds what it may cost, and settles what it did cost when it ends; a failed call costs nothing. Whole answers carry `x-cost-usd`. For every answer, also a stream, read the request by the `x-request-id` of its answer:',
    { code: `curl -sS "$BASE_URL/platform/v1/requests/req_…" -H "Authorization: Bearer $API_KEY"` },
    'A call that was refused is there too, for a week: its `error` has the code and the sentence that were answered, and it cost nothing. Of a key’s refusals beyond 30 in a minute only the number is kept, by code. What was sent is never kept.',
    '`GET /platform/v1/billing/balance` is what is left, and `GET /platform/v1/billing/ledger` lists each debit, hash-chained. Give each program its own key with a spend limit: at the limit calls answer 402 `key_spend_limit_reached`, at an empty balance 402 `insufficient_balance`. The headers `x-limit-source`, `x-limit-remaining-usd` and `x-limit-resets-at` say which limit it was.',
    'Amounts are kept in billionths of a dollar and rounded once for each call.',
  ],
};

const retries: Guide = {
  id: 'rate-limits',
  title: 'Stay within rate limits, and retry',
  parts: [
    'Every answer says how much is left: `x-ratelimit-remaining-requests` in this minute and `x-ratelimit-remaining-concurrency` at once. A refused request uses none of them. Streams that only follow a run or resume an answer have as many places again; cancelling, answering and deleting need no place, so that a key can always end what it runs.',
    'Retry 429, 503 and 409 `idempotency_in_progress` after `retry-after` seconds, and 500, 502 and 504 with a growing delay. Both vendors’ clients do so by themselves, twice. Everything else fails again unless the request is changed; `x-should-retry` says so on a 409.',
  ],
};

const verifiableBill: Guide = {
  id: 'verifiable-bill',
  title: 'Check your bill without trusting us',
  parts: [
    'Each entry of the ledger has a hash that covers the one before. Five minutes after midnight (UTC) a root over the day’s entries is signed with Ed25519 and published. Keep the published keys, and run `docs/examples/checkStatement.ts` or `docs/examples/check_statement.py` on a statement, or on a receipt of `GET /platform/v1/receipts/{request_id}`: they name the first row that was changed, removed, doubled or moved.',
    {
      code: `curl -sS "$BASE_URL/.well-known/ledgerline-bill-keys.json" -o bill-keys.json
curl -sS "$BASE_URL/platform/v1/billing/statement?format=jsonl" -H "Authorization: Bearer $API_KEY" -o statement.jsonl
python3 check_statement.py bill-keys.json statement.jsonl`,
    },
  ],
};
