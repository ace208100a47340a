import { KEPT_MINUTES } from '../../../db/answers/answerPart.ts';
import type { Guide } from './html.ts';

/** Retries that cost nothing, and streams that continue. */
export const retriesAndStreams = (model: string): Guide => ({
  id: 'retries-and-resumed-streams',
  title: 'Retries and resumed streams',
  parts: [
    `A retry never costs twice. OpenAI’s clients retry by themselves after a lost connection and say so in \`x-stainless-retry-count\`; for ${KEPT_MINUTES} minutes such a retry of the same body with the same key gets the answer of its first try. If that still runs, the retry waits for it; a stream starts again from its first event. The answer is the same, byte for byte, with \`idempotent-replayed: true\`, and \`x-request-id\` is the id of the first try, the only one that is billed. A first try that failed is run again.`,
    'Other clients, such as ElevenLabs’, send an `Idempotency-Key` of their own instead (8 to 255 printable ASCII characters), with every try. It works for chat, completions, responses, embeddings, speech and transcription. The same key with another body is 409 `idempotency_conflict`.',
    {
      code: `for try in 1 2; do curl -sS "$BASE_URL/v1/chat/completions" -D - \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" -H "Idempotency-Key: greeting-4711" \\
  -d '{"model": "${model}", "max_tokens": 20, "messages": [{"role": "user", "content": "Hello."}]}'; echo; done`,
    },
    'A whole answer is produced for ten seconds after its client has disconnected, a stream waits for less than a second. Speech ends at once. Without a retry in that time the client pays as for any disconnect. Whole answers above 1 MiB and streams above 8 MiB are not kept, nor are more than 256 MiB of one workspace in ten minutes, nor anything through a crash of the database.',
    `Every stream of chat, completions and responses can be resumed for ${KEPT_MINUTES} minutes, also after the process that served it was killed. Count the events you have, \`data: [DONE]\` included, and send that number as \`Last-Event-ID\` or \`starting_after\`: the rest comes as it was first sent, each event with its number as \`id\`.`,
    {
      code: `REQUEST=$(curl -sSN "$BASE_URL/v1/chat/completions" -D - -o /dev/null \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "stream": true, "max_tokens": 20, "messages": [{"role": "user", "content": "Count to five."}]}' \\
  | grep -io 'req_[0-9a-z]*')
curl -sSN "$BASE_URL/platform/v1/requests/$REQUEST/stream" -H "Authorization: Bearer $API_KEY" -H "Last-Event-ID: 3"`,
    },
    'Everything received is 204, an event that does not exist 400 `invalid_event_id`, and what is no longer kept 410 `event_expired`. A stream whose client did not come back, or whose process was lost, ends with an error after what was produced.',
  ],
});
