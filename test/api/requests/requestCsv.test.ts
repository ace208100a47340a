import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { makeAccount } from '../../support/account.ts';
import { csvRowsOf } from '../../support/csvRows.ts';
import { getJson } from '../../support/http.ts';
import { storeCalls, storeRefusals, withOwner } from '../../support/pastCalls.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
afterAll(() => stage.close());

const url = (query: string) => `${stage.api.url}/platform/v1/requests?${query}`;
const download = (key: string, query = '') =>
  fetch(url(`format=csv${query && `&${query}`}`), { headers: { authorization: `Bearer ${key}` } });
const rowsOf = async (key: string, query?: string) => csvRowsOf(await (await download(key, query)).text());
const idsOf = async (key: string, query?: string) => (await rowsOf(key, query)).map(({ id }) => id);

describe('GET /platform/v1/requests?format=csv', () => {
  test('refuses a caller without a key', async () => {
    expect((await fetch(url('format=csv'))).status).toBe(401);
  });

  test('has a row for each call with its exact cost, and a column for each unit', async () => {
    const { secret, keyId, workspaceId } = await makeAccount(stage.db);
    const [id] = await storeCalls(stage.databaseUrl, [
      {
        at: '2026-03-05T10:00:00.250Z',
        keyId,
        workspaceId,
        costNanos: 42,
        firstByteMs: 12,
        usage: { input_tokens: 7, output_tokens: 35 },
      },
    ]);
    const response = await download(secret);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="requests-[\d-]{10}\.csv"$/);
    const text = await response.text();
    expect(text.endsWith('\r\n')).toBe(true);
    expect(csvRowsOf(text)).toEqual([
      {
        id,
        started_at: '2026-03-05T10:00:00.250Z',
        settled_at: '2026-03-05T10:00:00.250Z',
        status: '200',
        error_code: '',
        calls: '1',
        product: 'text',
        model: 'model-a',
        route: '/v1/chat/completions',
        key_id: keyId,
        key_prefix: secret.slice(0, 12),
        key_name: 'test',
        project_id: 'default',
        first_byte_ms: '12',
        duration_ms: '100',
        finish_reason: '',
        'units.input_tokens': '7',
        'units.output_tokens': '35',
        'units.input_characters': '',
        'units.audio_minutes': '',
        'units.audio_seconds': '',
        'units.output_characters': '',
        'units.cached_input_tokens': '',
        'units.cache_write_tokens': '',
        cost_usd: '0.000000042',
      },
    ]);
  });

  test('has all pages in the order of the list, with refusals and calls of one moment', async () => {
    const { secret, keyId, workspaceId } = await makeAccount(stage.db);
    const today = Date.parse(new Date().toISOString().slice(0, 10));
    // Three calls of each moment.
    const at = (number: number) => new Date(today - Math.floor(number / 3)).toISOString();
    const calls = Array.from({ length: 1_201 }, (_, number) => ({ at: at(number), keyId, workspaceId }));
    const stored = await storeCalls(stage.databaseUrl, calls);
    const refusals = calls.slice(0, 60).map((call, number) => ({ ...call, at: at(number * 20) }));
    const refused = await storeRefusals(stage.databaseUrl, refusals);
    const listed: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: { body: { data: { id: string }[]; next_cursor: string | null } } = await getJson(
        url(`limit=100${cursor ? `&cursor=${cursor}` : ''}`),
        secret,
      );
      listed.push(...page.body.data.map(({ id }) => id));
      cursor = page.body.next_cursor;
    } while (cursor);
    const found = await idsOf(secret);
    expect(new Set(found)).toEqual(new Set([...stored, ...refused]));
    expect(found).toEqual(listed);
    expect(await idsOf(secret, 'limit=1')).toEqual(listed);
    expect((await rowsOf(secret, 'status=429')).map(({ id, error_code: code }) => [id, code])).toEqual(
      listed.filter((id) => refused.includes(id as string)).map((id) => [id, 'rate_limited']),
    );
  });

  test('has the filters of the list, and nothing of another workspace', async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await makeAccount(stage.db)];
    const call = { at: '2026-03-05T10:00:00Z', keyId: ours.keyId, workspaceId: ours.workspaceId };
    const [first, second, failed] = await storeCalls(stage.databaseUrl, [
      call,
      { ...call, at: '2026-03-06T10:00:00Z', model: 'model-b', product: 'speech' },
      { ...call, at: '2026-03-07T10:00:00Z', status: 502 },
    ]);
    await storeCalls(stage.databaseUrl, [{ ...call, keyId: theirs.keyId, workspaceId: theirs.workspaceId }]);
    expect(await idsOf(ours.secret)).toEqual([failed, second, first]);
    expect(await idsOf(ours.secret, 'model=model-b')).toEqual([second]);
    expect(await idsOf(ours.secret, 'product=speech')).toEqual([second]);
    expect(await idsOf(ours.secret, 'status=5xx')).toEqual([failed]);
    expect(await idsOf(ours.secret, 'from=2026-03-06&to=2026-03-06')).toEqual([second]);
    expect(await idsOf(ours.secret, `key=${ours.keyId}&to=2026-03-05`)).toEqual([first]);
    expect(await idsOf(ours.secret, `key=${theirs.keyId}`)).toEqual([]);
  });

  test('writes names that a spreadsheet would read as formulas as text', async () => {
    const { secret, workspaceId } = await makeAccount(stage.db);
    const call = { at: '2026-03-05T10:00:00Z', workspaceId };
    const names = ['=1+1', '@sum', '-2', 'a "b", c'];
    for (const name of names) {
      const { id: keyId } = await createKey(stage.db.everywhere, { workspaceId, name, scopes: ['llm'] });
      await storeCalls(stage.databaseUrl, [{ ...call, keyId, model: '+x' }]);
    }
    const text = await (await download(secret)).text();
    for (const cell of [`,'=1+1,`, `,'@sum,`, `,'-2,`, `,"a ""b"", c",`, `,'+x,`]) expect(text).toContain(cell);
  });

  test('refuses more than 200,000 rows by name, and has fewer of them', async () => {
    const { secret, keyId, workspaceId } = await makeAccount(stage.db);
    await withOwner(stage.databaseUrl, (owner) => owner.query(MANY, [workspaceId, keyId]));
    const response = await download(secret);
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 422,
      body: { error: { param: 'format', code: 'validation_error', message: expect.stringContaining('200000') } },
    });
    expect(await idsOf(secret, 'to=2026-03-01T00:00:03Z')).toEqual(['req_many2', 'req_many1']);
  });

  test.each([
    ['format=pdf', 'format'],
    ['format=csv&status=abc', 'status'],
  ])('answers 422 for the query %s', async (query, param) => {
    const { secret } = await makeAccount(stage.db);
    expect(await getJson(url(query), secret)).toMatchObject({ status: 422, body: { error: { param } } });
  });
});

const MANY = `
insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos, started_at,
  duration_ms, stream_bytes, product, settled_at)
select 'req_many' || number, $1, $2, '/v1/chat/completions', 'model-a', 200, false, '{}', 1, 0, 0, at, 1, 0, 'text', at
from (select number, timestamptz '2026-03-01T00:00:00Z' + number * interval '1 second' as at from generate_series(1, 200001) number) n`;
