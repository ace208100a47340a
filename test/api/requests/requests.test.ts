import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { storeCalls, storeRefusals } from '../../support/pastCalls.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
afterAll(() => stage.close());

const getRequest = (id: string, key?: string) =>
  getJson<Record<string, unknown>>(`${stage.api.url}/platform/v1/requests/${id}`, key);

interface Page {
  data: Record<string, unknown>[];
  has_more: boolean;
  next_cursor: string | null;
}

const list = (key: string, query = '') => getJson<Page>(`${stage.api.url}/platform/v1/requests${query}`, key);
const totals = (key: string, query: string) =>
  getJson<Record<string, unknown>>(`${stage.api.url}/platform/v1/requests/totals${query}`, key);
const idsOf = async (key: string, query: string) => (await list(key, query)).body.data.map(({ id }) => id);

async function post(path: string, key: string, body: object) {
  const response = await fetch(`${stage.api.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { answer: (await response.json()) as { id: string }, requestId: response.headers.get('x-request-id')! };
}

describe('GET /platform/v1/requests/{request_id}', () => {
  test('refuses a caller without a key', async () => {
    expect((await getRequest('req_1')).status).toBe(401);
  });

  test('returns a call and its cost as soon as its answer has ended', async () => {
    const { secret, keyId } = await makeAccount(stage.db);
    const id = await stage.chat(secret);
    const { status, body } = await getRequest(id, secret);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      object: 'request',
      route: '/v1/chat/completions',
      model: textModel,
      product: 'text',
      status: 200,
      cancelled: false,
      usage: [
        { unit: 'input_tokens', quantity: expect.any(Number) },
        { unit: 'output_tokens', quantity: expect.any(Number) },
      ],
      cost_usd: expect.any(Number),
      hold_usd: expect.any(Number),
      started_at: expect.stringMatching(/Z$/),
      settled_at: expect.stringMatching(/Z$/),
      first_byte_ms: null,
      duration_ms: expect.any(Number),
      stream_bytes: 0,
      ledger_entry_ids: [expect.stringMatching(/^le_[0-9A-Za-z]+$/)],
      key_id: keyId,
      key_prefix: secret.slice(0, 12),
      key_name: expect.any(String),
      project_id: 'default',
      has_content: false,
      response_id: id.replace('req_', 'chatcmpl-'),
      upstream: 'main',
      attempts: 1,
      routing: null,
      retries: 0,
      finish_reason: 'stop',
      cached_tokens: 0,
      reasoning_tokens: 0,
      error: null,
      calls: 1,
    });
    const [input, output] = body.usage as { quantity: number }[];
    // 0.30 and 2.50 US dollars per million tokens.
    expect(body.cost_usd).toBe((input!.quantity * 300 + output!.quantity * 2500) / 1e9);
  });

  test.each([
    ['chat/completions', { messages: [{ role: 'user', content: 'Hello' }] }],
    ['completions', { prompt: 'Hello' }],
    ['responses', { input: 'Hello' }],
  ])('finds a call of %s by the id in its answer, and by no other id', async (path, body) => {
    const { secret } = await makeAccount(stage.db);
    const { answer, requestId } = await post(path, secret, { model: textModel, ...body });
    const found = await getRequest(answer.id, secret);
    expect(found.body).toMatchObject({ id: requestId, response_id: answer.id });
    const other = { chatcmpl: 'cmpl-', cmpl: 'resp_', resp: 'chatcmpl-' }[/^[a-z]+/.exec(answer.id)![0]]!;
    expect((await getRequest(answer.id.replace(/^[a-z]+[-_]/, other), secret)).status).toBe(404);
  });

  test('shows how a stream ended: complete, cut or cancelled', async () => {
    const { secret } = await makeAccount(stage.db);
    const cut = await stage.ask(secret, 'Tell me all', { stream: true, max_tokens: 1 });
    expect((await getRequest(cut.requestId, secret)).body).toMatchObject({ finish_reason: 'length', attempts: 1 });
    const { end } = await stage.startStream(secret);
    end();
    await until(async () => (await list(secret, '?status=cancelled')).body.data.length === 1);
    expect((await list(secret, '?status=cancelled')).body.data).toMatchObject([
      { cancelled: true, status: 499, finish_reason: null, response_id: expect.stringMatching(/^chatcmpl-/) },
    ]);
  });

  test('stores the price row of a call', async () => {
    const { secret } = await makeAccount(stage.db);
    const id = await stage.chat(secret);
    await getRequest(id, secret);
    const { rows } = await stage.db.pool.query(
      'select p.model, p.rates from requests r join model_prices p on p.id = r.price_id where r.id = $1',
      [id],
    );
    expect(rows).toEqual([{ model: textModel, rates: { input_tokens: '300000', output_tokens: '2500000' } }]);
  });

  test('answers 404 for an id of another workspace, as for an unknown id', async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await makeAccount(stage.db)];
    const foreignId = await stage.chat(theirs.secret);
    const unknownId = `${foreignId.slice(0, -4)}zzzz`;
    const [foreign, unknown] = [await getRequest(foreignId, ours.secret), await getRequest(unknownId, ours.secret)];
    expect(foreign.status).toBe(404);
    expect(foreign.body).toMatchObject({ error: { code: 'request_not_found', type: 'invalid_request_error' } });
    expect(JSON.stringify(foreign.body).replace(foreignId, unknownId)).toBe(JSON.stringify(unknown.body));
  });

  test.each(['1', 'req_', 'chatcmpl_1', 'resp-1', 'req_%00', "req_1'--", `req_${'a'.repeat(61)}`])(
    'answers 422 for the malformed id %s',
    async (id) => {
      const { secret } = await makeAccount(stage.db);
      const { status, body } = await getRequest(id, secret);
      expect(status).toBe(422);
      expect(body).toMatchObject({
        error: { code: 'validation_error', param: 'request_id', type: 'invalid_request_error' },
        detail: [{ loc: ['path', 'request_id'], type: 'value_error' }],
      });
    },
  );
});

describe('GET /platform/v1/requests', () => {
  test('lists calls of the workspace, the most recent first, each as its own route shows it', async () => {
    const { secret } = await makeAccount(stage.db);
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.unshift(await stage.chat(secret));
    const { status, body } = await list(secret);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect(body.data.map(({ id }) => id)).toEqual(ids);
    expect(body.data[0]).toEqual((await getRequest(ids[0]!, secret)).body);
  });

  test('pages without gaps or repetitions while further calls end', async () => {
    const { secret } = await makeAccount(stage.db);
    const ids: string[] = [];
    for (const _ of [1, 2, 3, 4, 5]) ids.unshift(await stage.chat(secret));
    const first = (await list(secret, '?limit=2')).body;
    await stage.chat(secret);
    const second = (await list(secret, `?limit=2&cursor=${first.next_cursor}`)).body;
    const third = (await list(secret, `?limit=2&cursor=${second.next_cursor}`)).body;
    expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
    expect(third.next_cursor).toBeNull();
  });

  test('filters by model, key, route, status and time', async () => {
    const { secret, keyId } = await makeAccount(stage.db);
    const good = await stage.chat(secret);
    const { requestId: failed } = await stage.ask(secret, '{"scripted":{"status":500}}');
    const { requestId: completion } = await post('completions', secret, { model: textModel, prompt: 'Hello' });
    expect(await idsOf(secret, `?model=${textModel}`)).toEqual([completion, failed, good]);
    expect(await idsOf(secret, '?model=other')).toEqual([]);
    for (const key of [keyId, secret.slice(0, 12)])
      expect(await idsOf(secret, `?key=${key}&route=/v1/completions`)).toEqual([completion]);
    expect(await idsOf(secret, '?key=key_other')).toEqual([]);
    expect(await idsOf(secret, '?status=200')).toEqual([completion, good]);
    expect(await idsOf(secret, '?status=5xx')).toEqual([failed]);
    const settled = (await getRequest(failed, secret)).body.settled_at as string;
    const before = new Date(Date.parse(settled) - 60_000).toISOString();
    expect(await idsOf(secret, `?to=${before}`)).toEqual([]);
    expect(await idsOf(secret, `?from=${before}`)).toHaveLength(3);
    const day = settled.slice(0, 10);
    expect(await idsOf(secret, `?from=${before.slice(0, 10)}&to=${day}`)).toHaveLength(3);
  });

  test('filters by product, member and the code of the error, refused calls too', async () => {
    const { secret, keyId, workspaceId } = await makeAccount(stage.db);
    const member = await createKey(stage.db.everywhere, { workspaceId, name: 'Ada', scopes: ['llm'] });
    await stage.db.pool.query(`update api_keys set member_user_id = 'user_ada' where id = $1`, [member.id]);
    const call = { at: '2026-03-05T10:00:00Z', keyId, workspaceId };
    const now = new Date().toISOString();
    const [text, speech, failed, unexplained] = await storeCalls(stage.databaseUrl, [
      call,
      { ...call, at: '2026-03-05T11:00:00Z', product: 'speech', keyId: member.id },
      { ...call, at: now, status: 502 },
      { ...call, at: '2026-03-05T12:00:00Z', status: 502 },
    ]);
    const [embeddings, rate, file] = await storeRefusals(stage.databaseUrl, [
      { ...call, at: now, route: '/v1/embeddings', code: 'unknown_model' },
      { ...call, at: now, keyId: member.id },
      { ...call, at: now, route: '/v1/files', model: null },
    ]);
    await storeRefusals(stage.databaseUrl, [{ ...call, at: now, id: failed!, code: 'provider_failed' }]);
    const found = async (query: string) => new Set(await idsOf(secret, query));
    expect(await found('')).toEqual(new Set([text, speech, failed, unexplained, embeddings, rate, file]));
    expect(await found('?product=text')).toEqual(new Set([text, failed, unexplained, rate]));
    expect(await found('?product=speech')).toEqual(new Set([speech]));
    expect(await found('?product=embeddings')).toEqual(new Set([embeddings]));
    expect(await found('?product=agents')).toEqual(new Set());
    expect(await found('?member=user_ada')).toEqual(new Set([speech, rate]));
    expect(await found(`?member=user_ada&key=${keyId}`)).toEqual(new Set());
    expect(await found('?member=user_bob')).toEqual(new Set());
    expect(await found('?code=provider_failed')).toEqual(new Set([failed]));
    expect(await found('?code=unknown_model')).toEqual(new Set([embeddings]));
    expect(await found('?code=rate_limited&product=text')).toEqual(new Set([rate]));
    expect(await found("?code=a'--")).toEqual(new Set());
    expect(await found('?code=provider_failed&status=2xx')).toEqual(new Set());
    for (const query of [
      '',
      '?product=text',
      '?member=user_ada',
      '?code=provider_failed',
      '?status=4xx',
      '?status=200',
      '?code=none',
    ])
      expect({ query, ...(await totals(secret, query)).body }).toMatchObject({
        query,
        count: (await found(query)).size,
      });
    expect((await totals(secret, '')).body).toEqual({
      object: 'request.totals',
      count: 7,
      calls: 7,
      cost_usd: 4e-6,
      is_capped: false,
    });
    expect((await totals(secret, '?member=user_ada')).body).toMatchObject({ count: 2, cost_usd: 1e-6 });
    const { data } = (await list(secret, '?member=user_ada&limit=1')).body;
    expect(data).toMatchObject([{ id: rate, product: 'text', key_name: 'Ada' }]);
  });

  test('shows nothing of another workspace, and refuses its cursors', async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await makeAccount(stage.db)];
    for (const _ of [1, 2]) await stage.chat(theirs.secret);
    const foreign = (await list(theirs.secret, '?limit=1')).body;
    expect((await list(ours.secret, `?key=${theirs.keyId}`)).body.data).toEqual([]);
    for (const query of ['', `?key=${theirs.keyId}`])
      expect((await totals(ours.secret, query)).body).toMatchObject({ count: 0, calls: 0, cost_usd: 0 });
    expect((await list(ours.secret, `?cursor=${foreign.next_cursor}`)).status).toBe(422);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?status=abc', 'status'],
    ['?status=6xx', 'status'],
    ['?product=colour', 'product'],
    ['?member=', 'member'],
    ['?code=', 'code'],
    ['?from=yesterday', 'from'],
    ['?to=0000-01-01', 'to'],
    ['?from=2026-11-21T10:00:00', 'from'],
    ['?colour=red', 'colour'],
    ['?cursor=bm90IG91cnM', 'cursor'],
  ])('answers 422 for the query %s', async (query, param) => {
    const { secret } = await makeAccount(stage.db);
    const { status, body } = await getJson(`${stage.api.url}/platform/v1/requests${query}`, secret);
    expect({ status, body }).toMatchObject({ status: 422, body: { error: { param, code: 'validation_error' } } });
  });
});
