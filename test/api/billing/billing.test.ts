import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { until } from '../../support/until.ts';
import { textModel } from '../../support/startApi.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
afterAll(() => stage.close());

interface Page {
  object: string;
  data: Record<string, unknown>[];
  has_more: boolean;
  next_cursor: string | null;
}

const getBalance = (key?: string) =>
  getJson<Record<string, number>>(`${stage.api.url}/platform/v1/billing/balance`, key);
const getLedger = (key?: string, query = '') =>
  getJson<Page>(`${stage.api.url}/platform/v1/billing/ledger${query}`, key);

const getTotals = (key: string, query = '') =>
  getJson<Record<string, unknown>>(`${stage.api.url}/platform/v1/billing/ledger/totals${query}`, key);

/** The totals of a page. */
function totalsOf(data: Page['data']) {
  const usdOf = (isOwn: boolean) =>
    data
      .filter(({ balance_after_usd: after }) => (after !== null) === isOwn)
      .reduce((sum, { amount_usd: usd }) => sum + Math.round((usd as number) * 1e9), 0) / 1e9;
  const sums = { amount_usd: usdOf(true), beside_usd: usdOf(false) };
  return { object: 'ledger.totals', count: data.length, ...sums, is_capped: false };
}

async function credit(workspaceId: string, subject: string): Promise<void> {
  const order = { kind: 'topup', houseAccountId: 'payments', amountNanos: 1_000_000_000n };
  await stage.db.ledger.transfer({ ...order, workspaceId, subject });
}

describe('GET /platform/v1/billing/balance', () => {
  test('refuses a caller without a key', async () => {
    expect((await getBalance()).status).toBe(401);
  });

  test('returns the balance, the held amount and the available amount', async () => {
    const { secret, keyId, accountId, workspaceId } = await makeAccount(stage.db, { creditUsd: '10' });
    await stage.db.pool.query(
      `insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, day)
       values ($1, $2, $3, $4, 'proc_test', 'request', 250000001, '2026-11-21')`,
      [`hold_${keyId}`, workspaceId, accountId, keyId],
    );
    const { body } = await getBalance(secret);
    expect(body).toEqual({ balance_usd: 10, held_usd: 0.250000001, available_usd: 9.749999999 });
  });

  test('shows no held amount once calls have ended, although processes keep slices for the next ones', async () => {
    const { secret } = await makeAccount(stage.db, { creditUsd: '100' });
    for (let call = 0; call < 5; call += 1) {
      await stage.chat(secret);
      const { body } = await getBalance(secret);
      expect(body).toMatchObject({ held_usd: 0, available_usd: body.balance_usd });
    }
  });

  test('shows what a running call holds: at once in its process, within a second in others', async () => {
    const { secret, keyId } = await makeAccount(stage.db, { creditUsd: '100' });
    const other = await stage.startOther();
    await stage.chat(secret);
    const calls = await Promise.all([1, 2].map(() => stage.startStream(secret)));
    const { body } = await getBalance(secret);
    // Each holds its prompt and a few hundred tokens of its answer; their slice holds 32 times as much.
    const [held] = (
      await stage.db.pool.query(`select sum(amount_nanos) as nanos from holds where key_id = $1`, [keyId])
    ).rows as { nanos: string }[];
    expect(body.held_usd).toBeGreaterThan(2 * 256 * 2.5e-6);
    expect(body.held_usd).toBeLessThan(Number(held!.nanos) / 1e9 / 8);
    expect(body.available_usd).toBeCloseTo(body.balance_usd! - body.held_usd!, 9);
    const heldByOther = async () =>
      (await getJson<Record<string, number>>(`${other.url}/platform/v1/billing/balance`, secret)).body.held_usd;
    await until(async () => (await heldByOther()) === body.held_usd);
    for (const { end } of calls) end();
    await until(async () => (await heldByOther()) === 0);
    await other.stop();
  });
});

describe('GET /platform/v1/billing/ledger', () => {
  test('refuses a caller without a key', async () => {
    expect((await getLedger()).status).toBe(401);
  });

  test('lists a top-up and the debit of a call, newest first, each chained to the previous entry', async () => {
    const { secret } = await makeAccount(stage.db, { creditUsd: '10' });
    const requestId = await stage.chat(secret);
    const { body } = await getLedger(secret);
    const [debit, topup] = body.data;
    expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect(body.data).toHaveLength(2);
    expect(topup).toEqual({
      id: expect.stringMatching(/^le_[0-9A-Za-z]+$/),
      object: 'ledger.entry',
      kind: 'topup',
      amount_usd: 10,
      balance_after_usd: 10,
      request_id: null,
      run_id: null,
      key_prefix: null,
      model: null,
      route: null,
      agent: null,
      receipt_url: null,
      created_at: expect.stringMatching(/Z$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      prev_hash: null,
    });
    expect(debit).toMatchObject({
      kind: 'debit',
      request_id: requestId,
      key_prefix: secret.slice(0, 12),
      model: textModel,
      route: '/v1/chat/completions',
      agent: null,
      prev_hash: topup!.hash,
    });
    expect(debit!.balance_after_usd).toBeCloseTo(10 + (debit!.amount_usd as number), 12);
  });

  test("uses the same entry ids as the request's own answer", async () => {
    const { secret } = await makeAccount(stage.db);
    const requestId = await stage.chat(secret);
    const { body: request } = await getJson<{ ledger_entry_ids: string[] }>(
      `${stage.api.url}/platform/v1/requests/${requestId}`,
      secret,
    );
    const { body } = await getLedger(secret, '?limit=1');
    expect(body.data.map(({ id }) => id)).toEqual(request.ledger_entry_ids);
  });

  test('pages without gaps or repetitions, and the hashes form one chain', async () => {
    const { secret, workspaceId } = await makeAccount(stage.db);
    for (const number of [1, 2, 3, 4, 5, 6]) await credit(workspaceId, `${workspaceId} ${number}`);
    const pages = await readPages(secret, 3);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1]);
    const entries = pages.flatMap(({ data }) => data);
    expect(entries.map((entry) => entry.balance_after_usd)).toEqual([16, 15, 14, 13, 12, 11, 10]);
    expect(entries.map((entry) => entry.prev_hash)).toEqual([...entries.slice(1).map((entry) => entry.hash), null]);
  });

  test('an entry that is added between two pages does not shift them', async () => {
    const { secret, workspaceId } = await makeAccount(stage.db);
    for (const number of [1, 2]) await credit(workspaceId, `${workspaceId} ${number}`);
    const first = await getLedger(secret, '?limit=2');
    await credit(workspaceId, `${workspaceId} late`);
    const second = await getLedger(secret, `?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.data.map((entry) => entry.balance_after_usd)).toEqual([10]);
  });

  test('shows the run of an entry, earnings, and the cost of failed runs', async () => {
    const account = await makeAccount(stage.db);
    const billed = await makeRun(stage.db, account);
    await finishTestRun(stage.db, billed, { subtotalNanos: 900n, networkFeeNanos: 90n });
    const failed = await makeRun(stage.db, account);
    await finishTestRun(stage.db, failed, { status: 'failed', absorbedNanos: 70n });
    const all = (await getLedger(account.secret)).body;
    const beside = { balance_after_usd: null, hash: null, prev_hash: null, request_id: null, key_prefix: null };
    expect(all.data).toMatchObject([
      { ...beside, kind: 'absorbed', amount_usd: 7e-8, run_id: failed.id },
      { ...beside, kind: 'earning', amount_usd: 9e-7, run_id: billed.id },
      {
        kind: 'debit',
        amount_usd: -9.9e-7,
        run_id: billed.id,
        request_id: null,
        key_prefix: account.secret.slice(0, 12),
      },
      { kind: 'topup', run_id: null },
    ]);
    for (const limit of [1, 2, 3]) {
      const pages = await readPages(account.secret, limit);
      expect(pages.flatMap(({ data }) => data)).toEqual(all.data);
    }
    expect(new Set(all.data.map(({ id }) => id)).size).toBe(4);
  });

  test('filters by kind, key and time, with pages and an intact chain', async () => {
    const account = await makeAccount(stage.db);
    const { secret, workspaceId, keyId } = account;
    const [first, second] = [await stage.chat(secret), await stage.chat(secret)];
    await getLedger(secret);
    await stage.db.pool.query('select ledger_refund($1, $2, 503)', [first, 'none']);
    const run = await makeRun(stage.db, account);
    await finishTestRun(stage.db, run, { subtotalNanos: 900n });
    await credit(workspaceId, `${workspaceId} later`);
    const listed = async (query: string) => (await getLedger(secret, query)).body.data;
    const all = await listed('');
    expect(all.find(({ kind }) => kind === 'refund')).toMatchObject({
      model: textModel,
      key_prefix: secret.slice(0, 12),
    });
    expect((await listed('?kind=debit')).map((entry) => entry.request_id ?? entry.run_id)).toEqual([
      run.id,
      second,
      first,
    ]);
    expect(await listed('?kind=earning')).toMatchObject([{ run_id: run.id, agent: 'test/agent' }]);
    for (const key of [keyId, secret.slice(0, 12)])
      expect((await listed(`?key=${key}`)).map(({ kind }) => kind)).toEqual(['debit', 'refund', 'debit', 'debit']);
    expect(await listed('?key=key_other')).toEqual([]);
    expect(await listed('?to=2026-01-01')).toEqual([]);
    expect(await listed(`?from=${new Date().toISOString().slice(0, 10)}`)).toEqual(all);
    for (const query of ['', '?kind=debit', '?kind=earning', `?key=${keyId}`, '?key=key_other', '?to=2026-01-01'])
      expect({ query, ...(await getTotals(secret, query)).body }).toEqual({ query, ...totalsOf(await listed(query)) });
    const topups = all.filter(({ kind }) => kind === 'topup');
    const page = (await getLedger(secret, '?kind=topup&limit=1')).body;
    expect([...page.data, ...(await listed(`?kind=topup&limit=1&cursor=${page.next_cursor}`))]).toEqual(topups);
  });

  test('the second page contains nothing added after the first, including entries beside the account', async () => {
    const account = await makeAccount(stage.db);
    const end = async () => finishTestRun(stage.db, await makeRun(stage.db, account), { subtotalNanos: 10n });
    for (let runs = 0; runs < 3; runs += 1) await end();
    const whole = (await getLedger(account.secret)).body.data;
    for (let limit = 1; limit < whole.length; limit += 1) {
      const before = (await getLedger(account.secret)).body.data;
      const first = (await getLedger(account.secret, `?limit=${limit}`)).body;
      await end();
      const second = (await getLedger(account.secret, `?limit=100&cursor=${first.next_cursor}`)).body;
      expect([...first.data, ...second.data]).toEqual(before);
    }
  });

  test("shows nothing of another workspace's account, and refuses its cursors", async () => {
    const [ours, theirs] = [await makeAccount(stage.db, { creditUsd: '1' }), await makeAccount(stage.db)];
    await credit(theirs.workspaceId, 'canary');
    const { body: foreign } = await getLedger(theirs.secret, '?limit=1');
    const { status, body } = await getLedger(ours.secret, `?cursor=${foreign.next_cursor}`);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).not.toContain(theirs.workspaceId);
    expect((await getLedger(ours.secret)).body.data.map((entry) => entry.amount_usd)).toEqual([1]);
    expect((await getTotals(ours.secret)).body).toMatchObject({ count: 1, amount_usd: 1, beside_usd: 0 });
    expect((await getTotals(ours.secret, `?key=${theirs.keyId}`)).body).toMatchObject({ count: 0, amount_usd: 0 });
  });

  test.each([
    ['?limit=0', 'limit', 'greater_than_equal'],
    ['?colour=red', 'colour', 'extra_forbidden'],
    ['?kind=A', 'kind', 'value_error'],
    ['?from=today', 'from', 'value_error'],
    ['?limit=101', 'limit', 'less_than_equal'],
    ['?limit=abc', 'limit', 'int_parsing'],
    ['?limit=1.5', 'limit', 'int_parsing'],
    ['?limit=1&limit=2', 'limit', 'int_type'],
    ['?cursor=', 'cursor', 'string_too_short'],
    ['?cursor=a&cursor=b', 'cursor', 'string_type'],
    [`?cursor=${'a'.repeat(501)}`, 'cursor', 'string_too_long'],
    ['?cursor=bm90IG91cnM', 'cursor', 'value_error'],
    ['?cursor=%00', 'cursor', 'value_error'],
  ])('answers 422 for the query %s', async (query, name, type) => {
    const { secret } = await makeAccount(stage.db);
    const { status, body } = await getLedger(secret, query);
    expect(status).toBe(422);
    expect(body).toEqual({
      error: {
        message: expect.any(String),
        type: 'invalid_request_error',
        param: name,
        code: 'validation_error',
      },
      detail: [{ loc: ['query', name], msg: expect.any(String), type }],
    });
  });
});

test('GET /billing/done thanks, tells where the balance is and leads back; /billing/cancelled does not thank', async () => {
  const page = await fetch(`${stage.api.url}/billing/done`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const html = await page.text();
  expect(html).toMatch(/^<!doctype html>\n<html lang="en"><head>/);
  expect(html).toContain('<title>Ledgerline: payment</title>');
  expect(html).toContain('<h1>Thank you</h1>');
  expect(html).toContain('<code>GET /platform/v1/billing/balance</code>');
  expect(html).toContain('<a class="button" href="/billing">Back to billing</a>');
  const cancelled = await (await fetch(`${stage.api.url}/billing/cancelled`)).text();
  expect(cancelled).toMatch(/<h1>Payment cancelled<\/h1>\n<p>Nothing was charged/);
});

async function readPages(secret: string, limit: number): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | null = null;
  do {
    const { body }: { body: Page } = await getLedger(secret, `?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
    pages.push(body);
    cursor = body.next_cursor;
  } while (cursor);
  return pages;
}
