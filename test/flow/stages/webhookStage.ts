import { afterAll } from '@jest/globals';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { WebhookSending } from '../../../activities/index.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { PlatformEventType } from '../../../db/events/eventTypes.ts';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import type { EventObject } from '../../../db/events/readEvents.ts';
import { insertEndpoint } from '../../../db/webhooks/endpoints.ts';
import { listen } from '../../../rules/scripted/startScripted.ts';
import { makeAccount } from '../../support/account.ts';
import { ask } from '../../support/guardStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { setRunStage, type RunStage } from '../../support/runStage.ts';

interface Answered<Body> {
  status: number;
  body: Body;
}

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A webhook receiver on this machine. */
export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Answers a request; 204 until a test replaces it. */
  answer: (response: ServerResponse, request: Received) => void;
  stop(): Promise<void>;
}

/** Starts a receiver on the port given, or a free one. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(one);
      receiver.answer(response, one);
    });
  };
  const { url, stop } = await listen(port, listener);
  const answer: Receiver['answer'] = (response) => response.writeHead(204).end();
  const receiver: Receiver = { url: `${url}/hooks`, port: Number(new URL(url).port), received, answer, stop };
  return receiver;
}

export interface Endpoint {
  id: string;
  url: string;
  secret: string;
  event_types: string[];
  disabled: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
}

export interface Delivery {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  attempt: number;
  next_try_at: string | null;
  request_body: string;
  attempts: { response_status: number | null; response_body: string | null; error: string | null }[];
}

export type WebhookStage = Awaited<ReturnType<typeof setWebhookStage>>;

/** The API and a worker, whose webhooks may go to this machine. */
export async function setWebhookStage(sending: Partial<WebhookSending> = {}) {
  const stage: RunStage = await setRunStage({ webhookSending: { allowPrivate: 'loopback', ...sending } });
  await stage.startWorker();
  const api = await stage.startApi({ WEBHOOK_LOOPBACK: 'on' });
  const receivers: Receiver[] = [];

  async function close(): Promise<void> {
    await stage.close();
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  }

  /** A workspace, with calls by its managing key. */
  async function makeOwner() {
    const account = await makeAccount(stage.db, { scopes: ['manage'] });
    const call = async <Answer>(method: string, path: string, body?: object): Promise<Answered<Answer>> => {
      const headers = { authorization: `Bearer ${account.secret}` };
      const sent = body && { body: JSON.stringify(body) };
      const response = await ask(api.url, `/platform/v1${path}`, { method, headers, ...sent });
      return { status: response.status, body: (await response.json()) as Answer };
    };
    const makeEndpoint = async (body: object): Promise<Endpoint> => {
      const made = await call<Endpoint>('POST', '/webhook_endpoints', body);
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body;
    };
    const deliveriesOf = async ({ id }: Pick<Endpoint, 'id'>) =>
      (await call<{ data: Delivery[] }>('GET', `/webhook_endpoints/${id}/deliveries?limit=100`)).body.data;
    const record = (type: PlatformEventType, data: object = {}) =>
      stage.db.everywhere.transaction((tx) =>
        recordEvent(tx, account.workspaceId, { type, resourceType: 'test', resourceId: 'test', data }),
      );
    return { ...account, call, makeEndpoint, deliveriesOf, record };
  }

  async function makeReceiver(): Promise<Receiver> {
    const receiver = await startReceiver();
    receivers.push(receiver);
    return receiver;
  }

  return { ...stage, api, makeOwner, makeReceiver, close };
}

/** An endpoint of an account, created without the API. Returns its secret. */
export async function makeEndpointOf(
  db: Pick<Database, 'write'>,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  { url, eventTypes = [] }: { url: string; eventTypes?: string[] },
): Promise<string> {
  const choice = { id: newId('whe'), url, eventTypes, description: null, disabled: false };
  const by = { keyId, requestId: newId('req') };
  const made = await insertEndpoint(db.write(workspaceId), { ...choice, by });
  if (typeof made === 'string') throw new Error(made);
  return made.secret!;
}

/** The event that a receiver got. */
export const eventIn = ({ body }: Received): EventObject => JSON.parse(body) as EventObject;

/** Opens a stage for a test file, and closes it at the end, when its ledger must be sound. */
export async function openWebhookStage(): Promise<WebhookStage> {
  const stage = await setWebhookStage();
  afterAll(async () => {
    await expectSoundLedger(stage.db);
    await stage.close();
  });
  return stage;
}
