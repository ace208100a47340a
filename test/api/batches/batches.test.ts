import { afterAll, describe, expect, test } from '@jest/globals';
import { OPEN_BATCHES_MAX } from '../../../db/batches/batches.ts';
import { setFileStage } from '../../support/fileStage.ts';
import { codeOf, type ErrorBody } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { untilAnswered } from '../../support/until.ts';

// No worker runs: a batch stays as it was created.
const stage = await setFileStage();
const fileId = await uploaded();
afterAll(() => stage.close());

interface BatchBody {
  id: string;
  status: string;
  endpoint: string;
  metadata: object | null;
}

async function uploaded(fields: Record<string, string> = { purpose: 'batch' }, key?: string): Promise<string> {
  const sent = { content: '{}\n', filename: 'a.jsonl', fields, key };
  return (await read<{ id: string }>(await stage.send('/textapi/v1/files', sent), 200)).id;
}

const order = (members: object = {}) => ({
  input_file_id: fileId,
  endpoint: '/v1/chat/completions',
  completion_window: '24h',
  ...members,
});

const post = (members: object = {}, more: { key?: string; headers?: Record<string, string> } = {}) =>
  stage.call('/textapi/v1/batches', { body: JSON.stringify(order(members)), ...more });

describe('POST /batches', () => {
  test('answers with the batch, at both addresses', async () => {
    for (const prefix of ['/textapi/v1', '/v1']) {
      const response = await stage.call(`${prefix}/batches`, { body: JSON.stringify(order({ metadata: { a: 'b' } })) });
      expect(await read<BatchBody>(response, 200)).toMatchObject({
        object: 'batch',
        status: 'validating',
        errors: null,
        metadata: { a: 'b' },
        request_counts: { total: 0, completed: 0, failed: 0 },
      });
    }
  });

  test.each<[string, object, number, string, string | null]>([
    ['an unknown endpoint', { endpoint: '/v1/audio/speech' }, 400, 'invalid_value', 'endpoint'],
    ['no endpoint', { endpoint: undefined }, 400, 'missing_required_parameter', 'endpoint'],
    ['another window', { completion_window: '48h' }, 400, 'invalid_value', 'completion_window'],
    ['metadata that are no texts', { metadata: { a: 1 } }, 400, 'invalid_type', 'metadata.a'],
    ['a NUL in metadata', { metadata: { a: '\0' } }, 400, 'invalid_value', 'metadata'],
    [
      'seventeen pairs of metadata',
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, nth) => [nth, ''])) },
      400,
      'object_above_max_properties',
      'metadata',
    ],
    ['an unknown parameter', { priority: 'high' }, 400, 'unsupported_parameter', 'priority'],
    [
      'a lifetime of seconds',
      { output_expires_after: { anchor: 'created_at', seconds: 60 } },
      400,
      'integer_below_min_value',
      'output_expires_after.seconds',
    ],
    ['an unknown file', { input_file_id: 'file_none' }, 404, 'file_not_found', 'input_file_id'],
    ['a file of a NUL', { input_file_id: 'file_\0' }, 404, 'file_not_found', 'input_file_id'],
  ])('refuses %s by name', async (_name, members, status, code, param) => {
    const response = await post(members);
    const { error } = (await response.json()) as ErrorBody;
    expect([response.status, error.code, error.param]).toEqual([status, code, param]);
  });

  test('refuses a file of another purpose', async () => {
    const response = await post({ input_file_id: await uploaded({ purpose: 'user_data' }) });
    expect([response.status, ((await response.json()) as ErrorBody).error.param]).toEqual([400, 'input_file_id']);
  });

  test('refuses a key without the scope, and one without money', async () => {
    const talker = await stage.account({ scopes: ['llm'] });
    const refused = await post({}, { key: talker.secret });
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'scope_not_allowed']);
    const broke = await stage.account({ balanceNanos: 0n });
    const input_file_id = await uploaded({ purpose: 'batch' }, broke.secret);
    const unpaid = await post({ input_file_id }, { key: broke.secret });
    expect([unpaid.status, await codeOf(unpaid)]).toEqual([402, 'insufficient_balance']);
    const spent = await stage.account({ spendLimitNanos: 0n, spendLimitPeriod: 'daily' });
    const ofSpent = await uploaded({ purpose: 'batch' }, spent.secret);
    const unpaidToo = await post({ input_file_id: ofSpent }, { key: spent.secret });
    expect([unpaidToo.status, await codeOf(unpaidToo)]).toEqual([402, 'key_spend_limit_reached']);
  });

  test('creates one batch for two requests at once with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'batch-of-today' };
    const send = async () => read<BatchBody>(await untilAnswered(() => post({}, { headers })), 200);
    const [one, other] = await Promise.all([send(), send()]);
    expect(other.id).toBe(one.id);
    const conflict = await post({ endpoint: '/v1/embeddings' }, { headers });
    expect([conflict.status, await codeOf(conflict)]).toEqual([409, 'idempotency_conflict']);
  });

  test('answers an automatic retry with the batch of its first try', async () => {
    const input_file_id = await uploaded();
    const tried = async (count: string, members: object = {}, key?: string) => {
      const sent = { headers: { 'x-stainless-retry-count': count }, ...(key && { key }) };
      const response = await post({ input_file_id, metadata: { a: 'b' }, ...members }, sent);
      const { id } = await read<BatchBody>(response, 200);
      return { id, isReplayed: response.headers.get('idempotent-replayed') === 'true' };
    };
    const first = await tried('0');
    const retries = await Promise.all(['1', '2', '1'].map((count) => tried(count)));
    for (const retry of retries) expect(retry).toEqual({ id: first.id, isReplayed: true });
    const others = [
      await tried('0'),
      await tried('1', { metadata: { a: 'c' } }),
      await tried('1', { endpoint: '/v1/responses' }),
    ];
    expect(others.map(({ isReplayed }) => isReplayed)).toEqual([false, false, false]);
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(4);
    await stage.db.pool.query(
      `update batches set created_at = created_at - interval '11 minutes' where input_file_id = $1`,
      [input_file_id],
    );
    expect((await tried('1')).isReplayed).toBe(false);
  });

  test('makes another batch for the retry of an order whose earlier batch was cancelled, or has failed', async () => {
    const input_file_id = await uploaded();
    const ordered = async (count: string) =>
      (await read<BatchBody>(await post({ input_file_id }, { headers: { 'x-stainless-retry-count': count } }), 200)).id;
    const cancelled = await ordered('0');
    await stage.call(`/v1/batches/${cancelled}/cancel`, { method: 'POST' });
    const failed = await ordered('1');
    await stage.db.pool.query(`update batches set status = 'failed', ended_at = now() where id = $1`, [failed]);
    expect(new Set([cancelled, failed, await ordered('1')]).size).toBe(3);
  });

  test('makes one batch of a first try and its retry at once', async () => {
    const input_file_id = await uploaded();
    const retry = () => post({ input_file_id }, { headers: { 'x-stainless-retry-count': '1' } });
    const made = await Promise.all([retry(), retry(), retry()].map(async (one) => read<BatchBody>(await one, 200)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  test('bounds the open batches of a workspace, however many are created at once', async () => {
    const busy = await stage.account();
    const input_file_id = await uploaded({ purpose: 'batch' }, busy.secret);
    await stage.db.pool.query(
      `insert into batches (id, workspace_id, key_id, endpoint, input_file_id, output_seconds, expires_at)
       select 'batch_' || $1 || n, $1, $2, '', '', 1, now() + interval '1 day' from generate_series(1, $3) n`,
      [busy.workspaceId, busy.keyId, OPEN_BATCHES_MAX - 2],
    );
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post({ input_file_id }, { key: busy.secret })),
    );
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(18);
    expect([refused[0]!.status, await codeOf(refused[0]!)]).toEqual([429, 'too_many_batches']);
    expect(refused[0]!.headers.get('retry-after')).toBe('60');
  });
});

describe('batches', () => {
  test('are listed newest first, in pages', async () => {
    const lister = await stage.account();
    const input_file_id = await uploaded({ purpose: 'batch' }, lister.secret);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.unshift((await read<BatchBody>(await post({ input_file_id }, { key: lister.secret }), 200)).id);
    const page = async (query: string) =>
      read<{ data: BatchBody[]; has_more: boolean; last_id: string }>(
        await stage.call(`/v1/batches${query}`, { key: lister.secret }),
        200,
      );
    const first = await page('?limit=2');
    const refused = await stage.call('/v1/batches?limit=abc', { key: lister.secret });
    expect(await read(refused, 400)).toMatchObject({ error: { code: 'invalid_type', param: 'limit' } });
    expect([first.data.map(({ id }) => id), first.has_more, first.last_id]).toEqual([ids.slice(0, 2), true, ids[1]]);
    const second = await page(`?limit=2&after=${first.last_id}`);
    expect([second.data.map(({ id }) => id), second.has_more]).toEqual([ids.slice(2), false]);
    const unstorable = await stage.call('/v1/batches?after=%00', { key: lister.secret });
    expect([unstorable.status, await codeOf(unstorable)]).toEqual([400, 'invalid_value']);
    const unknown = await stage.call('/v1/batches?after=batch_none', { key: lister.secret });
    expect(await read(unknown, 404)).toMatchObject({ error: { code: 'batch_not_found', param: 'after' } });
  });

  test('of another workspace do not exist', async () => {
    const { id } = await read<BatchBody>(await post(), 200);
    for (const [path, method] of [
      [`/v1/batches/${id}`, 'GET'],
      [`/v1/batches/${id}/cancel`, 'POST'],
    ] as const) {
      const response = await stage.call(path, { key: stage.other.secret, method });
      expect([response.status, await codeOf(response)]).toEqual([404, 'batch_not_found']);
    }
    expect(await read<BatchBody>(await stage.call(`/v1/batches/${id}`), 200)).toMatchObject({ status: 'validating' });
  });

  test('are cancelled before they begin, and not after their end', async () => {
    const { id } = await read<BatchBody>(await post(), 200);
    const cancel = () => stage.call(`/v1/batches/${id}/cancel`, { method: 'POST' });
    expect(await read<BatchBody>(await cancel(), 200)).toMatchObject({ status: 'cancelling' });
    await stage.db.pool.query(`update batches set status = 'completed', ended_at = now() where id = $1`, [id]);
    const response = await cancel();
    expect([response.status, await codeOf(response)]).toEqual([409, 'batch_already_terminal']);
    expect(response.headers.get('x-should-retry')).toBe('false');
  });
});
