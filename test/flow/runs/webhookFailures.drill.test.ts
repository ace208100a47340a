import type { ServerResponse } from 'node:http';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { RETRY_DELAYS_MS } from '../../../db/webhooks/attempts.ts';
import { until } from '../../support/until.ts';
import {
  setWebhookStage,
  startReceiver,
  type Delivery,
  type Receiver,
  type WebhookStage,
} from '../stages/webhookStage.ts';

let owner: Awaited<ReturnType<WebhookStage['makeOwner']>>;
let receiver: Receiver;

/** Addresses of names in these tests: each look-up takes the next one; the last one repeats. */
const names: Record<string, string[]> = {};
let lookups = 0;
const resolve = async (name: string): Promise<LookupAddress[]> => {
  lookups += 1;
  const [address, ...later] = names[name]!;
  if (later.length > 0) names[name] = later;
  return [{ address: address!, family: address!.includes(':') ? 6 : 4 }];
};

// A request that was given up may still be open at the receiver when the next one comes.
const SEEN_OPEN = 2;

// The product's schedule, a thousand times as fast.
const stage = await setWebhookStage({ delaysMs: RETRY_DELAYS_MS.map((ms) => ms / 1000), timeoutMs: 1_000, resolve });
afterAll(() => stage.close());
beforeEach(async () => {
  [owner, receiver] = [await stage.makeOwner(), await stage.makeReceiver()];
});

const read = async (endpoint: { id: string }): Promise<Delivery> => (await owner.deliveriesOf(endpoint))[0]!;
const untilTried = (endpoint: { id: string }, attempts: number) =>
  until(async () => ((await read(endpoint))?.attempts.length ?? 0) >= attempts, { timeoutMs: 60_000, pollMs: 20 });
const untilIs = (endpoint: { id: string }, status: string) =>
  until(async () => (await read(endpoint))?.status === status, { timeoutMs: 60_000, pollMs: 20 });
const endWith =
  (status: number, body = '') =>
  (response: ServerResponse) =>
    void response.writeHead(status).end(body);

test('a receiver that is down for an hour gets the event once it is up', async () => {
  const { port } = receiver;
  await receiver.stop();
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  await owner.record('balance.low');
  // Attempts at once, after 5 seconds, 5 minutes and 30 minutes: the next one is 2 hours later.
  await untilTried(endpoint, 4);
  expect(await read(endpoint)).toMatchObject({
    status: 'pending',
    attempt: 4,
    next_try_at: expect.any(String),
    attempts: Array.from({ length: 4 }, () => ({
      response_status: null,
      error: 'The endpoint refused the connection.',
    })),
  });
  const failing = await owner.call('GET', `/webhook_endpoints/${endpoint.id}`);
  expect(failing.body).toMatchObject({ failing_since: expect.any(String), disabled: false });
  const again = await startReceiver(port);
  try {
    await untilIs(endpoint, 'delivered');
    expect(again.received).toHaveLength(1);
  } finally {
    await again.stop();
  }
  expect((await owner.call('GET', `/webhook_endpoints/${endpoint.id}`)).body).toMatchObject({ failing_since: null });
});

test('an endpoint that hangs has two requests at once, and others of its workspace get their events', async () => {
  const hanging = await stage.makeReceiver();
  let [open, openMost] = [0, 0];
  hanging.answer = (response) => {
    openMost = Math.max(openMost, (open += 1));
    response.on('close', () => (open -= 1));
  };
  const stuck = await owner.makeEndpoint({ url: hanging.url });
  await owner.record('balance.low');
  const isFailing = async () =>
    (await owner.call<{ failing_since: string | null }>('GET', `/webhook_endpoints/${stuck.id}`)).body.failing_since !==
    null;
  await until(isFailing);
  await owner.makeEndpoint({ url: receiver.url });
  openMost = 0;
  const EVENTS = 20;
  for (let made = 0; made < EVENTS; made += 1) await owner.record('balance.low');
  await until(() => receiver.received.length === EVENTS);
  const before = hanging.received.length;
  await until(() => hanging.received.length >= before + 4);
  expect(openMost).toBeLessThanOrEqual(SEEN_OPEN * 2);
});

test('an answer of 500 is tried again, and 200 ends it', async () => {
  const answers = [endWith(500, 'broken'), endWith(503), endWith(200, 'thanks')];
  receiver.answer = (response) => answers.shift()!(response);
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  await owner.record('balance.low');
  await untilIs(endpoint, 'delivered');
  expect(await read(endpoint)).toMatchObject({
    attempt: 3,
    next_try_at: null,
    attempts: [
      { response_status: 500, response_body: 'broken', error: 'The endpoint answered 500.' },
      { response_status: 503, error: 'The endpoint answered 503.' },
      { response_status: 200, response_body: 'thanks', error: null },
    ],
  });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a receiver that does not answer in time is tried again', async () => {
  let isFirst = true;
  receiver.answer = (response) => {
    if (!isFirst) response.writeHead(204).end();
    isFirst = false;
  };
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  await owner.record('balance.low');
  await untilIs(endpoint, 'delivered');
  const { attempts } = await read(endpoint);
  expect(attempts.map(({ error }) => error)).toEqual(['The endpoint did not answer in time.', null]);
});

test('a redirect is not followed', async () => {
  const other = await stage.makeReceiver();
  receiver.answer = (response) => void response.writeHead(307, { location: other.url }).end();
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  await owner.record('balance.low');
  await untilTried(endpoint, 2);
  expect((await read(endpoint)).attempts[0]).toMatchObject({
    response_status: 307,
    error: 'The endpoint redirected (307). Redirects are not followed.',
  });
  expect(other.received).toEqual([]);
  await owner.call('DELETE', `/webhook_endpoints/${endpoint.id}`);
});

test('a name with a private address is not reached', async () => {
  names['inside.test'] = ['10.1.2.3'];
  const endpoint = await owner.makeEndpoint({ url: `https://inside.test:${receiver.port}/` });
  await owner.record('balance.low');
  await untilTried(endpoint, 1);
  expect((await read(endpoint)).attempts[0]).toMatchObject({
    response_status: null,
    response_body: null,
    error: 'The address of the endpoint is not public.',
  });
  await owner.call('DELETE', `/webhook_endpoints/${endpoint.id}`);
});

test('a name is looked up once for each attempt, so one that changes leads nowhere else', async () => {
  names['moving.test'] = ['::ffff:10.0.0.1', '169.254.169.254', '127.0.0.1'];
  const endpoint = await owner.makeEndpoint({ url: `https://moving.test:${receiver.port}/` });
  lookups = 0;
  await owner.record('balance.low');
  await untilTried(endpoint, 3);
  await owner.call('PATCH', `/webhook_endpoints/${endpoint.id}`, { disabled: true });
  const { attempts } = await read(endpoint);
  expect(new Set(attempts.map(({ error }) => error))).toEqual(new Set(['The address of the endpoint is not public.']));
  expect(lookups).toBe(attempts.length);
  expect(receiver.received).toEqual([]);
});

test('an answer of 410 disables the endpoint at once, with a notice', async () => {
  receiver.answer = endWith(410);
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  await owner.record('balance.low');
  await untilIs(endpoint, 'cancelled');
  expect(receiver.received).toHaveLength(1);
  expect((await owner.call('GET', `/webhook_endpoints/${endpoint.id}`)).body).toMatchObject({
    disabled: true,
    disabled_reason: 'gone',
  });
  const overview = await owner.call<{ notices: { type: string }[] }>('GET', '/overview');
  expect(overview.body.notices.map(({ type }) => type)).toContain('webhook_endpoint.disabled');
});

test('an endpoint at which everything failed for five days is disabled', async () => {
  receiver.answer = endWith(500);
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  const failing = (days: number) =>
    stage.db.pool.query(`update webhook_endpoints set failing_since = now() - $2 * interval '1 day' where id = $1`, [
      endpoint.id,
      days,
    ]);
  await failing(4.9);
  await owner.record('balance.low');
  await untilTried(endpoint, 1);
  expect((await owner.call('GET', `/webhook_endpoints/${endpoint.id}`)).body).toMatchObject({ disabled: false });
  await failing(5.1);
  await untilIs(endpoint, 'cancelled');
  expect((await owner.call('GET', `/webhook_endpoints/${endpoint.id}`)).body).toMatchObject({
    disabled_reason: 'failing',
  });
});

test('of a huge answer only the beginning is read and kept', async () => {
  let isCut = false;
  receiver.answer = (response) => {
    response.writeHead(200);
    response.on('close', () => (isCut = !response.writableFinished));
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  await owner.record('balance.low');
  await untilIs(endpoint, 'delivered');
  expect((await read(endpoint)).attempts[0]!.response_body).toBe('x'.repeat(4096));
  await until(() => isCut);
});

test('disabling or deleting an endpoint ends its waiting workflows', async () => {
  receiver.answer = endWith(500);
  const endpoints = [await owner.makeEndpoint({ url: receiver.url }), await owner.makeEndpoint({ url: receiver.url })];
  const eventId = await owner.record('balance.low');
  for (const endpoint of endpoints) await untilTried(endpoint, 4);
  await owner.call('PATCH', `/webhook_endpoints/${endpoints[0]!.id}`, { disabled: true });
  await owner.call('DELETE', `/webhook_endpoints/${endpoints[1]!.id}`);
  const statusOf = async ({ id }: { id: string }) =>
    (await stage.client.workflow.getHandle(`webhook/${eventId}/${id}`).describe()).status.name;
  for (const endpoint of endpoints)
    await until(async () => (await statusOf(endpoint)) === 'CANCELLED', { timeoutMs: 60_000 });
  expect(await read(endpoints[0]!)).toMatchObject({ status: 'cancelled', next_try_at: null });
  expect((await owner.call('GET', `/webhook_endpoints/${endpoints[1]!.id}/deliveries`)).status).toBe(404);
});

test('a receiver that keeps its requests open holds up no other workspace', async () => {
  const kept: ServerResponse[] = [];
  let most = 0;
  receiver.answer = (response) => {
    kept.push(response);
    response.on('close', () => kept.splice(kept.indexOf(response), 1));
    most = Math.max(most, kept.length);
  };
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  await Promise.all(Array.from({ length: 60 }, () => owner.record('balance.low')));
  // On a busy machine the first one is given up before the tenth begins, and then the endpoint gets two at once.
  await until(() => most > 1);
  const [other, quick] = [await stage.makeOwner(), await stage.makeReceiver()];
  await other.makeEndpoint({ url: quick.url, event_types: ['balance.low'] });
  await other.record('balance.low');
  await until(() => quick.received.length === 1);
  expect(most).toBeLessThanOrEqual(SEEN_OPEN * 10);
  await owner.call('DELETE', `/webhook_endpoints/${endpoint.id}`);
});
