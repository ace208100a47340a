import { KIB } from '../../base/limits.ts';
import { storableText } from '../../base/json.ts';
import { recordAttempt, RETRY_DELAYS_MS } from '../../db/webhooks/attempts.ts';
import { readOrder, type AttemptResult, type DeliveryOrder } from '../../db/webhooks/deliveries.ts';
import { liveSecrets } from '../../db/sealing/signingSecrets.ts';
import { isAddressOf } from '../../db/webhooks/endpoints.ts';
import { TEST_EVENT_TYPE } from '../../db/events/eventTypes.ts';
import { webhookBody } from '../../db/webhooks/webhookBody.ts';
import { AddressRefused, createGuardedAgent } from '../../tools/guardedAgent.ts';
import { guardedPost } from '../../tools/guardedPost.ts';
import { signedHeaders } from '../../tools/signedHeaders.ts';
import type { WebhookInput, WebhookStep } from '../../contracts/webhook.ts';
import type { WebhookDependencies } from '../dependencies.ts';
import { noteAttempt } from './outcomes.ts';
import { createShares } from './shares.ts';

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 4 * KIB;
// Of 50 concurrent requests in this process.
const PER_WORKSPACE_MAX = 10;
// Besides, of its endpoints that fail: one that hangs keeps each of its requests for the whole timeout.
const FAILING_MAX = 2;
// Spreads the retries of deliveries that failed together.
const JITTER = 0.2;

/** Makes one attempt of a delivery. A retry of the activity after a crash may send it twice, with the same id. */
export function createDeliverWebhook({ db, webhooks: { secrets, sending } }: WebhookDependencies) {
  const { delaysMs = RETRY_DELAYS_MS, timeoutMs = TIMEOUT_MS } = sending;
  const agent = createGuardedAgent({ allowPrivate: sending.allowPrivate }, sending.resolve);
  const [working, failing] = [createShares(PER_WORKSPACE_MAX), createShares(FAILING_MAX)];

  async function deliverWebhook(input: WebhookInput): Promise<WebhookStep> {
    const order = await readOrder(db.everywhere, input);
    if (!order) return { delayMs: null };
    // Woken by an order that an earlier attempt has carried out already.
    if (order.waitMs > 0) return { delayMs: order.waitMs };
    const { workspaceId } = order.delivery;
    const shares = order.endpoint.failingSince === null ? working : failing;
    const waitMs = shares.enter(workspaceId, order.endpoint.id);
    if (waitMs !== null) return { delayMs: withJitter(waitMs) };
    const begunMs = performance.now();
    try {
      const result = await attempt(order).catch((error: unknown) => {
        noteAttempt(order.endpoint.id, undefined);
        throw error;
      });
      noteAttempt(order.endpoint.id, result);
      // A test is sent once.
      const delays = order.event.type === TEST_EVENT_TYPE ? [] : delaysMs.map(withJitter);
      return { delayMs: await recordAttempt(db.everywhere, order, { result, delaysMs: delays }) };
    } finally {
      shares.leave(workspaceId, order.endpoint.id, performance.now() - begunMs);
    }
  }

  async function attempt(order: DeliveryOrder): Promise<AttemptResult> {
    const body = webhookBody(order.event);
    // A secret that cannot be opened is not the receiver's fault: the activity fails, and is retried.
    const headers = { ...signed(order, body), 'content-type': 'application/json', 'user-agent': 'Ledgerline-Webhooks' };
    const { delivery, endpoint } = order;
    // The endpoint may have moved since: nothing is sent to its earlier address.
    const url = delivery.url !== null && isAddressOf(endpoint, delivery.url) ? delivery.url : endpoint.url;
    const begunMs = performance.now();
    const durationMs = () => Math.round(performance.now() - begunMs);
    try {
      const answer = await guardedPost(agent, url, { headers, body, timeoutMs, answerBytesMax: ANSWER_BYTES_MAX });
      const { statusCode, beginning } = answer;
      return {
        statusCode,
        responseBody: storableText(beginning),
        error: refusalIn(statusCode),
        durationMs: durationMs(),
      };
    } catch (error) {
      return { statusCode: null, responseBody: null, error: reasonOf(error), durationMs: durationMs() };
    }
  }

  function signed({ event, endpoint }: DeliveryOrder, body: string): Record<string, string> {
    const opened = liveSecrets(endpoint.secrets).map(({ sealed }) => secrets.open(sealed, endpoint.id));
    return signedHeaders({ id: event.id, body, secrets: opened });
  }

  return deliverWebhook;
}

const withJitter = (ms: number): number => Math.round(ms * (1 + JITTER * Math.random()));

function refusalIn(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400)
    return `The endpoint redirected (${statusCode}). Redirects are not followed.`;
  return `The endpoint answered ${statusCode}.`;
}

// Describes faults that an owner can fix, without details of this network.
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return 'The address of the endpoint is not public.';
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError') return 'The endpoint did not answer in time.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The name of the endpoint cannot be resolved.';
  if (code === 'ECONNREFUSED') return 'The endpoint refused the connection.';
  if (code?.startsWith('UND_ERR_CONNECT')) return 'The endpoint could not be reached.';
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code ?? '')) return `The certificate of the endpoint is not valid (${code}).`;
  return 'The connection broke off.';
}
