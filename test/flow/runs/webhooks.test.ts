import { afterAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { Webhook } from 'svix';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import { until } from '../../support/until.ts';
import { eventIn, setWebhookStage, type Endpoint, type Received } from '../stages/webhookStage.ts';

const stage = await setWebhookStage();
afterAll(() => stage.close());

const openai = new OpenAI({ apiKey: 'unused' });
const headersOf = ({ headers }: Received) => headers as Record<string, string>;

test('a completed run is posted once, and both vendors’ libraries verify it', async () => {
  const [owner, receiver] = [await stage.makeOwner(), await stage.makeReceiver()];
  const endpoint = await owner.makeEndpoint({ url: receiver.url, event_types: ['run.completed'] });
  expect(endpoint).toMatchObject({ event_types: ['run.completed'], disabled: false });
  expect(endpoint.secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
  const run = await stage.runToEnd({ account: owner });
  await until(() => receiver.received.length === 1);
  const [sent] = receiver.received as [Received];
  const event = await openai.webhooks.unwrap(sent.body, headersOf(sent), endpoint.secret);
  expect(event).toMatchObject({
    id: sent.headers['webhook-id'],
    type: 'run.completed',
    run_id: run.id,
    data: { id: run.id, status: 'completed' },
  });
  const svix = new Webhook(endpoint.secret);
  svix.verify(sent.body, headersOf(sent));
  expect(() => svix.verify(sent.body.replace('completed', 'failed'), headersOf(sent))).toThrow();
  await until(async () => (await owner.deliveriesOf(endpoint))[0]?.status === 'delivered');
  const deliveries = await owner.deliveriesOf(endpoint);
  expect(deliveries).toMatchObject([
    {
      event_id: event.id,
      event_type: 'run.completed',
      attempt: 1,
      request_body: sent.body,
      attempts: [{ response_status: 204 }],
    },
  ]);
  const looked = await owner.call('GET', `/events/${event.id}`);
  expect(looked.body).toEqual(eventIn(sent));
});

test('twelve events at once are each delivered once, and to no other workspace', async () => {
  const [owner, other] = [await stage.makeOwner(), await stage.makeOwner()];
  const [receiver, otherReceiver] = [await stage.makeReceiver(), await stage.makeReceiver()];
  const endpoint = await owner.makeEndpoint({ url: receiver.url, event_types: ['*'] });
  await other.makeEndpoint({ url: otherReceiver.url });
  const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => owner.record('balance.low', { at })));
  await until(
    async () => (await owner.deliveriesOf(endpoint)).filter(({ status }) => status === 'delivered').length === 12,
  );
  expect(receiver.received.map(({ headers }) => String(headers['webhook-id'])).toSorted()).toEqual(ids.toSorted());
  expect(receiver.received.map((one) => (eventIn(one).data as { at: number }).at).toSorted((a, b) => a - b)).toEqual(
    ids.map((_, at) => at),
  );
  expect(otherReceiver.received).toEqual([]);
});

test('an event that was recorded while no worker ran is delivered once one runs', async () => {
  const [owner, receiver] = [await stage.makeOwner(), await stage.makeReceiver()];
  await owner.makeEndpoint({ url: receiver.url });
  let id = '';
  await stage.withoutWorker(async () => {
    id = await owner.record('balance.depleted');
  });
  await until(() => receiver.received.length > 0, { timeoutMs: 60_000 });
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
});

test('an event of a transaction that is rolled back is not delivered', async () => {
  const owner = await stage.makeOwner();
  const endpoint = await owner.makeEndpoint({ url: (await stage.makeReceiver()).url });
  const failing = stage.db.everywhere.transaction(async (tx) => {
    const event = { type: 'balance.low' as const, resourceType: 'test', resourceId: 'test', data: {} };
    await recordEvent(tx, owner.workspaceId, event);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  const id = await owner.record('balance.low');
  await until(async () => (await owner.deliveriesOf(endpoint))[0]?.status === 'delivered');
  expect((await owner.deliveriesOf(endpoint)).map(({ event_id }) => event_id)).toEqual([id]);
});

test('after a rotation both secrets sign for a day, and then the new one alone', async () => {
  const [owner, receiver] = [await stage.makeOwner(), await stage.makeReceiver()];
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  const rotated = await owner.call<Endpoint>('POST', `/webhook_endpoints/${endpoint.id}/rotate_secret`);
  expect(rotated.body).toMatchObject({ previous_secret_expires_at: expect.any(String) });
  expect(rotated.body.secret).not.toBe(endpoint.secret);
  await owner.record('balance.low');
  await until(() => receiver.received.length === 1);
  const [both] = receiver.received as [Received];
  for (const { secret } of [endpoint, rotated.body]) await openai.webhooks.unwrap(both.body, headersOf(both), secret);
  const { rows } = await stage.db.pool.query('select secrets from webhook_endpoints where id = $1', [endpoint.id]);
  const [current, earlier] = rows[0].secrets as { sealed: string; expiresAt: string | null }[];
  const past = [current, { ...earlier, expiresAt: new Date(Date.now() - 1000).toISOString() }];
  await stage.db.pool.query('update webhook_endpoints set secrets = $2 where id = $1', [
    endpoint.id,
    JSON.stringify(past),
  ]);
  await owner.record('balance.low');
  await until(() => receiver.received.length === 2);
  const alone = receiver.received[1]!;
  await openai.webhooks.unwrap(alone.body, headersOf(alone), rotated.body.secret);
  await expect(openai.webhooks.unwrap(alone.body, headersOf(alone), endpoint.secret)).rejects.toThrow();
});

test('an event is delivered again on request, with the same id, and a test is sent once', async () => {
  const [owner, receiver] = [await stage.makeOwner(), await stage.makeReceiver()];
  const endpoint = await owner.makeEndpoint({ url: receiver.url, event_types: ['topup.failed'] });
  const id = await owner.record('balance.low');
  const none = await owner.call<{ data: object[] }>('POST', `/events/${id}/redeliver`);
  expect(none).toMatchObject({ status: 202, body: { data: [] } });
  for (const count of [1, 2]) {
    const again = await owner.call('POST', `/events/${id}/redeliver`, { endpoint_id: endpoint.id });
    expect(again).toMatchObject({ status: 202, body: { data: [{ event_id: id, status: 'pending', attempt: 0 }] } });
    await until(() => receiver.received.length === count);
    await until(async () => (await owner.deliveriesOf(endpoint))[0]?.status === 'delivered');
  }
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  receiver.answer = (response) => void response.writeHead(500).end();
  const tested = await owner.call<{ id: string; type: string }>('POST', `/webhook_endpoints/${endpoint.id}/test`);
  expect(tested).toMatchObject({ status: 202, body: { type: 'webhook_endpoint.test' } });
  const isFailed = async () => (await owner.deliveriesOf(endpoint)).some(({ status }) => status === 'failed');
  await until(isFailed);
  expect(receiver.received).toHaveLength(3);
});

test("a run's own webhook goes to its endpoint with a query, and is signed by that endpoint's secret", async () => {
  const [owner, receiver] = [await stage.makeOwner(), await stage.makeReceiver()];
  const endpoint = await owner.makeEndpoint({ url: receiver.url, event_types: ['topup.failed'] });
  const webhookUrl = `${receiver.url}?order=7`;
  await stage.runToEnd({ account: owner, webhookUrl, webhookEvents: ['run.failed'] });
  const run = await stage.runToEnd({ account: owner, webhookUrl });
  await until(() => receiver.received.length === 1);
  const [sent] = receiver.received as [Received];
  expect(sent.path).toBe('/hooks?order=7');
  expect(eventIn(sent)).toMatchObject({ type: 'run.completed', run_id: run.id });
  await openai.webhooks.unwrap(sent.body, headersOf(sent), endpoint.secret);
});

test("a run's own webhook follows its endpoint to another address", async () => {
  const [owner, old, moved] = [await stage.makeOwner(), await stage.makeReceiver(), await stage.makeReceiver()];
  const endpoint = await owner.makeEndpoint({ url: old.url, event_types: ['run.failed'] });
  await stage.runToEnd({ account: owner, webhookUrl: `${old.url}?order=7` });
  await until(async () => (await owner.deliveriesOf(endpoint))[0]?.status === 'delivered');
  const { event_id: id } = (await owner.deliveriesOf(endpoint))[0]!;
  await owner.call('PATCH', `/webhook_endpoints/${endpoint.id}`, { url: moved.url });
  await owner.call('POST', `/events/${id}/redeliver`, { endpoint_id: endpoint.id });
  await until(() => old.received.length + moved.received.length === 2);
  expect(moved.received.map(({ path }) => path)).toEqual(['/hooks']);
  expect(old.received).toHaveLength(1);
});

test('an answer of its earlier address does not disable an endpoint: the next attempt is at the present one', async () => {
  const [owner, old, moved] = [await stage.makeOwner(), await stage.makeReceiver(), await stage.makeReceiver()];
  const endpoint = await owner.makeEndpoint({ url: old.url });
  const one = `/webhook_endpoints/${endpoint.id}`;
  old.answer = (response) =>
    void owner.call('PATCH', one, { url: moved.url }).then(() => response.writeHead(410).end());
  await owner.record('balance.low');
  await until(async () => (await owner.deliveriesOf(endpoint))[0]?.status !== 'pending');
  expect(moved.received).toHaveLength(1);
  expect((await owner.call('GET', one)).body).toMatchObject({ disabled: false, failing_since: null });
});

test('the history of a delivery has neither the event nor the address nor a secret', async () => {
  const [owner, receiver] = [await stage.makeOwner(), await stage.makeReceiver()];
  const endpoint = await owner.makeEndpoint({ url: receiver.url });
  const id = await owner.record('balance.low', { note: 'confidential' });
  await until(async () => (await owner.deliveriesOf(endpoint))[0]?.status === 'delivered');
  const { events } = await stage.client.workflow.getHandle(`webhook/${id}/${endpoint.id}`).fetchHistory();
  const texts: string[] = [];
  JSON.stringify(events, (_key, value: unknown) => {
    // Inputs and results are presented in base64.
    if (typeof value === 'string') texts.push(value, Buffer.from(value, 'base64').toString('utf8'));
    return value;
  });
  expect(texts.join('\n')).toContain(`"eventId":"${id}"`);
  for (const secret of ['whsec', 'confidential', String(receiver.port), 'balance.low'])
    expect(texts.join('\n')).not.toContain(secret);
});
