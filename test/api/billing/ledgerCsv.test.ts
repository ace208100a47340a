import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { csvRowsOf } from '../../support/csvRows.ts';
import { getJson } from '../../support/http.ts';
import { withOwner } from '../../support/pastCalls.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { textModel } from '../../support/startApi.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
afterAll(() => stage.close());

const url = (query: string) => `${stage.api.url}/platform/v1/billing/ledger?${query}`;
const download = (key: string, query = '') =>
  fetch(url(`format=csv${query && `&${query}`}`), { headers: { authorization: `Bearer ${key}` } });
const rowsOf = async (key: string, query?: string) => csvRowsOf(await (await download(key, query)).text());

describe('GET /platform/v1/billing/ledger?format=csv', () => {
  test('refuses a caller without a key', async () => {
    expect((await fetch(url('format=csv'))).status).toBe(401);
  });

  test('has a row for each entry, and amounts that a spreadsheet adds up', async () => {
    const { secret } = await makeAccount(stage.db, { creditUsd: '12.5' });
    const requestId = await stage.chat(secret);
    const response = await download(secret);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="ledger-[\d-]{10}\.csv"$/);
    const [debit, topup, ...others] = csvRowsOf(await response.text());
    expect(others).toEqual([]);
    expect(topup).toEqual({
      id: expect.stringMatching(/^le_[0-9A-Za-z]+$/),
      created_at: expect.stringMatching(/Z$/),
      kind: 'topup',
      model: '',
      route: '',
      agent: '',
      key_prefix: '',
      request_id: '',
      run_id: '',
      receipt_url: '',
      amount_usd: '12.5',
      balance_after_usd: '12.5',
    });
    expect(debit).toMatchObject({
      kind: 'debit',
      request_id: requestId,
      model: textModel,
      route: '/v1/chat/completions',
      key_prefix: secret.slice(0, 12),
      amount_usd: expect.stringMatching(/^-0\.0\d+$/),
    });
    expect(Number(debit!.balance_after_usd)).toBeCloseTo(12.5 + Number(debit!.amount_usd), 9);
  });

  test('has the entries and filters of the list, and nothing of another workspace', async () => {
    const account = await makeAccount(stage.db);
    const { secret } = account;
    await stage.chat(secret);
    await finishTestRun(stage.db, await makeRun(stage.db, account), { subtotalNanos: 900n });
    await finishTestRun(stage.db, await makeRun(stage.db, account), { status: 'failed', absorbedNanos: 70n });
    const theirs = await makeAccount(stage.db);
    await stage.chat(theirs.secret);
    const day = new Date().toISOString().slice(0, 10);
    for (const query of ['', 'kind=debit', 'kind=earning', `key=${account.keyId}`, `from=${day}`, 'to=2026-01-01']) {
      const { body } = await getJson<{ data: { id: string; amount_usd: number }[] }>(url(query), secret);
      expect({ query, rows: (await rowsOf(secret, query)).map((row) => [row.id, Number(row.amount_usd)]) }).toEqual({
        query,
        rows: body.data.map((entry) => [entry.id, entry.amount_usd]),
      });
    }
    expect(await rowsOf(secret)).toHaveLength(5);
    expect(await rowsOf(secret, `key=${theirs.keyId}`)).toEqual([]);
  });

  test('has all pages, and refuses more than 200,000 rows by name', async () => {
    const { secret, workspaceId, accountId } = await makeAccount(stage.db, { balanceNanos: 0n });
    const fill = (first: number, last: number) =>
      withOwner(stage.databaseUrl, (owner) => owner.query(MANY, [accountId, workspaceId, first, last]));
    await fill(1, 1_201);
    const balances = (await rowsOf(secret)).map(({ balance_after_usd: usd }) => Number(usd));
    expect(balances).toEqual(Array.from({ length: 1_201 }, (_, at) => 1_201 - at));
    await fill(1_202, 200_001);
    expect(await getJson(url('format=csv'), secret)).toMatchObject({
      status: 422,
      body: { error: { param: 'format', code: 'validation_error', message: expect.stringContaining('200000') } },
    });
    expect(await rowsOf(secret, 'to=2026-03-01T00:00:03Z')).toMatchObject([{ amount_usd: '1' }, { amount_usd: '1' }]);
  });
});

const MANY = `
insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, created_at)
select number, 0, $1, $2, 'adjustment', $2 || number, 1000000000, number, number * 1000000000,
  timestamptz '2026-03-01T00:00:00Z' + number * interval '1 second'
from generate_series($3::bigint, $4::bigint) number`;
