import { readFileSync } from 'node:fs';
import { sizeText } from '../../../base/limits.ts';
import { FAILING_DAYS_MAX, RETRY_DELAYS_MS } from '../../../db/webhooks/attempts.ts';
import { ROTATION_HOURS } from '../../../db/webhooks/endpoints.ts';
import { WEBHOOK_BYTES_MAX } from '../../../db/webhooks/webhookBody.ts';
import type { Guide } from './html.ts';

const waits = RETRY_DELAYS_MS.map((ms) =>
  ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`,
).join(', ');

const snippet = (file: string): string => readFileSync(new URL(`snippets/${file}`, import.meta.url), 'utf8').trimEnd();

/** How a program receives events. */
export const webhooks: Guide = {
  id: 'webhooks',
  title: 'Receive webhooks',
  parts: [
    'Make an endpoint with a key of the scope `manage`, or signed in as an owner or developer. The answer shows its secret once. `event_types` names what it gets; `*` is everything.',
    {
      code: `curl -sS "$BASE_URL/platform/v1/webhook_endpoints" -H "Authorization: Bearer $MANAGE" -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/webhooks", "event_types": ["run.completed", "run.failed", "balance.low"]}'`,
    },
    'Events are posted as JSON and signed as Standard Webhooks (standardwebhooks.com) say, in the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. OpenAI’s clients verify them, and so do the libraries of Standard Webhooks and Svix. Verify the body as it arrived, before it is parsed. In Node:',
    { code: snippet('webhook-node.mjs') },
    'In Python:',
    { code: snippet('webhook-python.py') },
    `Any 2xx within 15 seconds counts as delivered; redirects are not followed. Otherwise it is sent again, after ${waits}, each after the attempt before and a little more by chance. Answer first, and work afterwards.`,
    'The same event may arrive twice, and events may arrive in another order: keep the ids (`webhook-id`) that you have seen, and read the current state with the id in `resource` where the order matters. Types that you do not know are to be answered with 2xx too.',
    `An answer of 410 disables the endpoint at once, and so do ${FAILING_DAYS_MAX} days in which every attempt failed. Owners and developers get a mail then. \`{"disabled": false}\` enables it again; \`POST /platform/v1/events/{event_id}/redeliver\` sends what it missed, and \`GET /platform/v1/events\` lists it.`,
    `\`GET …/{endpoint_id}/deliveries\` shows each attempt with what was sent and answered, and \`POST …/{endpoint_id}/test\` sends a test. \`POST …/{endpoint_id}/rotate_secret\` makes a new secret; for ${ROTATION_HOURS} hours each delivery is signed by the earlier one too.`,
    `A body is at most ${sizeText(WEBHOOK_BYTES_MAX)}: \`data\` of a larger event is \`{"id", "object", "truncated": true}\`, and \`GET /platform/v1/events/{event_id}\` has all of it. A run can have a webhook of its own: send \`webhook_url\`, the address of one of your endpoints with a query of your choice, and \`webhook_events\`.`,
  ],
};
