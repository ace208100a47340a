import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { setGuardStage, type ErrorBody } from '../../support/guardStage.ts';

const stage = await setGuardStage();
await seedAgents(stage.db.everywhere);
afterAll(() => stage.close());

interface Answer {
  status: number;
  body: Record<string, unknown> & ErrorBody & { data: Record<string, unknown>[]; next_cursor: string | null };
}

const url = 'https://example.com/hooks';
const path = '/platform/v1/webhook_endpoints';

async function owner(scopes = ['manage']) {
  const account = await stage.account({ scopes, rpmLimit: 10_000 });
  const call = async (method: string, at: string, body?: object, headers = {}): Promise<Answer> => {
    const sent = { method, headers: { authorization: `Bearer ${account.secret}`, ...headers } };
    const response = await stage.ask(at, { ...sent, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const make = async (body: object = {}): Promise<Answer['body']> => (await call('POST', path, { url, ...body })).body;
  return { ...account, call, make };
}

test('before a worker has started no secret can be sealed, which is a 503 to retry', async () => {
  const { call } = await owner();
  expect(await call('POST', path, { url })).toMatchObject({
    status: 503,
    body: { error: { code: 'webhooks_unavailable', message: expect.stringContaining('no worker has started') } },
  });
});

describe('an endpoint', () => {
  beforeAll(async () => void (await openSecretBox(stage.db.everywhere, parseSealingKeys(createSealingKey()))));

  test('is made with a secret that is shown once, changed, and deleted', async () => {
    const { call, make } = await owner();
    const { secret, ...made } = await make({ description: 'Orders' });
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(String(secret).slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(made).toEqual({
      id: expect.stringMatching(/^we_/),
      object: 'webhook_endpoint',
      url,
      event_types: ['*'],
      description: 'Orders',
      disabled: false,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      previous_secret_expires_at: null,
      created_at: expect.any(String),
    });
    const one = `${path}/${String(made.id)}`;
    expect((await call('GET', one)).body).toEqual(made);
    expect((await call('GET', path)).body.data).toEqual([made]);
    const changed = await call('PATCH', one, { event_types: ['run.failed', 'run.failed'], disabled: true });
    expect(changed.body).toMatchObject({ event_types: ['run.failed'], disabled: true, disabled_reason: 'requested', description: 'Orders' }); // prettier-ignore
    expect((await call('POST', `${one}/test`)).body.error.code).toBe('webhook_endpoint_disabled');
    expect((await call('PATCH', one, { disabled: false })).body).toMatchObject({
      disabled: false,
      disabled_reason: null,
    });
    expect((await call('DELETE', one)).body).toEqual({ id: made.id, object: 'webhook_endpoint', deleted: true });
    for (const [method, at] of [['GET', one], ['PATCH', one], ['DELETE', one], ['POST', `${one}/rotate_secret`]]) // prettier-ignore
      expect(await call(method!, at!, method === 'PATCH' ? {} : undefined)).toMatchObject({ status: 404, body: { error: { code: 'webhook_endpoint_not_found' } } }); // prettier-ignore
    const { rows } = await stage.db.pool.query('select action from audit_entries where subject_id = $1 order by id', [
      made.id,
    ]);
    expect(rows.map(({ action }) => action)).toEqual([
      'create_webhook_endpoint',
      'change_webhook_endpoint',
      'change_webhook_endpoint',
      'delete_webhook_endpoint',
    ]);
  });

  test('fails anew at another address: the failures of the earlier one do not count', async () => {
    const { call, make } = await owner();
    const one = `${path}/${String((await make()).id)}`;
    await stage.db.pool.query(`update webhook_endpoints set failing_since = '2026-01-02T03:04:05Z' where url = $1`, [
      url,
    ]);
    const since = '2026-01-02T03:04:05.000Z';
    expect((await call('PATCH', one, { url, description: 'Orders' })).body).toMatchObject({ failing_since: since });
    expect((await call('PATCH', one, { url: `${url}/new` })).body).toMatchObject({ failing_since: null });
  });

  test('needs the scope manage, which a stored secret is not read by', async () => {
    const { call } = await owner(['llm', 'voice', 'batch']);
    for (const method of ['GET', 'POST'])
      expect(await call(method, path, method === 'POST' ? { url } : undefined)).toMatchObject({
        status: 403,
        body: { error: { code: 'scope_not_allowed' } },
      });
    const { rows } = await stage.db.pool.query('select secrets::text as secrets from webhook_endpoints');
    expect(JSON.stringify(rows)).not.toContain('whsec');
  });

  test('is made once for an Idempotency-Key, and the retry has no secret', async () => {
    const { call } = await owner();
    const key = { 'idempotency-key': 'the-first-endpoint' };
    const [first, again] = [await call('POST', path, { url }, key), await call('POST', path, { url }, key)];
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id, secret: null } });
  });

  test.each([
    ['http://example.com/', 'Send an https address.'],
    ['https://127.0.0.1/', 'private'],
    ['https://0x7f.1/', 'private'],
    ['https://[::1]/', 'private'],
    ['https://[::ffff:10.0.0.1]/', 'private'],
    ['https://169.254.169.254/latest', 'private'],
    ['https://localhost/', 'private'],
    ['https://api.localhost/', 'private'],
    ['https://localhost./', 'private'],
    ['https://intranet/', 'private'],
    ['https://metadata.google.internal./', 'private'],
    ['https://ada:secret@example.com/', 'without a user name and password'],
    ['ftp://example.com/', 'Send an https address.'],
    ['example.com', 'absolute address'],
  ])('is not made at %s', async (wrong, msg) => {
    const { call } = await owner();
    const { status, body } = await call('POST', path, { url: wrong });
    expect([status, body.error]).toEqual([
      422,
      { message: expect.stringContaining(msg), type: 'invalid_request_error', param: 'url', code: 'validation_error' },
    ]);
  });

  test('gets only types that exist', async () => {
    const { call } = await owner();
    const { body } = await call('POST', path, { url, event_types: ['run.completed', 'run.done'] });
    expect(body.error).toMatchObject({ code: 'validation_error', param: 'event_types.1' });
  });

  test('is refused beyond twenty of a workspace, also when they are made at once', async () => {
    const { call } = await owner();
    for (let nth = 0; nth < 18; nth += 1) expect(await call('POST', path, { url })).toMatchObject({ status: 201 });
    const last = await Promise.all(Array.from({ length: 4 }, () => call('POST', path, { url })));
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409]);
    expect((await call('POST', path, { url })).body.error.code).toBe('too_many_webhook_endpoints');
  });

  test('may be named by a run, with a query; another address is refused', async () => {
    const { call, make } = await owner(['manage', 'llm']);
    await make();
    const run = (webhookUrl: string) =>
      call('POST', '/v1/runs', { agent: 'ledgerline/writer', input: 'Hello.', webhook_url: webhookUrl });
    expect(await run(`${url}?order=7`)).toMatchObject({ status: 202 });
    expect(await run('https://example.com/other')).toMatchObject({
      status: 422,
      body: {
        error: { param: 'webhook_url', message: expect.stringContaining('POST /platform/v1/webhook_endpoints') },
      },
    });
  });
});

test('events are listed newest first, in pages over both kinds, and by type', async () => {
  const { call, workspaceId } = await owner(['manage', 'llm']);
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    const event = { type: 'balance.low' as const, resourceType: 'workspace', resourceId: workspaceId, data: { at } };
    await stage.db.everywhere.transaction(async (tx) => ids.push(await recordEvent(tx, workspaceId, event)));
    const run = await call('POST', '/v1/runs', {
      agent: 'ledgerline/writer',
      input: 'Hello.',
      start_after_seconds: 60,
    });
    const { body } = await call('POST', `/v1/runs/${String(run.body.id)}/cancel`);
    ids.push(String(body.last_event_id));
  }
  const listed: Record<string, unknown>[] = [];
  for (let next = ''; ;) {
    const { body } = await call('GET', `/platform/v1/events?limit=3${next}`);
    listed.push(...body.data);
    if (body.next_cursor === null) break;
    next = `&cursor=${body.next_cursor}`;
  }
  const own = listed.filter(({ type }) => type !== 'key.created');
  expect(own.map(({ id }) => id)).toEqual(ids.toReversed());
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  expect((await call('GET', `/platform/v1/events/${ids[1]}`)).body).toEqual(own.find(({ id }) => id === ids[1]));
  const { body: low } = await call('GET', '/platform/v1/events?type=balance.low');
  expect(low.data.map(({ type }) => type)).toEqual(Array.from({ length: 5 }, () => 'balance.low'));
  expect((await call('GET', '/platform/v1/events?type=run.created')).status).toBe(422);
  expect((await call('POST', '/platform/v1/events/evt_1/redeliver')).body.error.code).toBe('event_not_found');
});

test('redeliveries of an event asked for at once say which of them share an attempt', async () => {
  const { call, workspaceId, make } = await owner();
  const endpoint = await make({ event_types: ['topup.failed'] });
  const event = { type: 'balance.low' as const, resourceType: 'workspace', resourceId: workspaceId, data: {} };
  const id = await stage.db.everywhere.transaction((tx) => recordEvent(tx, workspaceId, event));
  const again = async () =>
    (await call('POST', `/platform/v1/events/${id}/redeliver`, { endpoint_id: endpoint.id })).body.data[0];
  const first = await again();
  expect(first).toMatchObject({ status: 'pending', merged: false });
  await stage.db.pool.query(`update webhook_deliveries set status = 'delivered', tries = 1 where event_id = $1`, [id]);
  const deliveriesOf = (of: Record<string, unknown>) => `/platform/v1/webhook_endpoints/${String(of.id)}/deliveries`;
  const at = deliveriesOf(endpoint);
  const listed = (await call('GET', at)).body.data[0]!;
  expect(listed).toMatchObject({ id: first!.id, attempts: [] });
  const oneAt = (list: string) => `${list}/${String(listed.id)}`;
  expect((await call('GET', oneAt(at))).body).toEqual(listed);
  const [elsewhere, stranger] = [await make({ event_types: ['topup.failed'] }), await owner()];
  expect((await call('GET', oneAt(deliveriesOf(elsewhere)))).body.error.code).toBe('webhook_delivery_not_found');
  expect((await stranger.call('GET', oneAt(at))).body.error.code).toBe('webhook_endpoint_not_found');
  const merged = (await Promise.all([again(), again(), again()])).map((one) => Number(one!.merged));
  expect(merged.toSorted((one, other) => one - other)).toEqual([0, 1, 1]);
});
