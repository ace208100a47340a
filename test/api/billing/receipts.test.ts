import { afterAll, expect, test } from '@jest/globals';
import { signDays } from '../../../db/bill/signDays.ts';
import { Receipts, Statements, type Receipt as Signed } from '../../../clients/typescript/src/index.ts';
import { makeAccount } from '../../support/account.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { getJson } from '../../support/http.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { setStage } from '../platform/stage.ts';

const ids: Record<string, string> = {};

type Receipt = { status: string; entries: { entry: { kind: string }; due_at: string | null }[] };
const read = <Body = Receipt>(path: string, key?: string) => getJson<Body>(`${stage.api.url}${path}`, key);
const receiptOf = (id: string, key = account.secret) => read(`/platform/v1/receipts/${id}`, key);

const stage = await setStage();
const account = await makeAccount(stage.db, { creditUsd: '10' });
ids.call = await stage.chat(account.secret);
ids.stream = (await stage.ask(account.secret, 'Hello.', { stream: true })).requestId;
ids.refunded = await stage.chat(account.secret);
const run = await makeRun(stage.db, account);
await finishTestRun(stage.db, run, { subtotalNanos: 200n, networkFeeNanos: 20n });
ids.run = run.id;
await stage.db.ledger.posted();
// As if a process died before it sent its answer.
await stage.db.pool.query('select ledger_refund($1, null, 503)', [ids.refunded]);
ids.topup = `le_${account.accountId.replace(/^acct_/, '')}1`;

afterAll(() => stage.close());

const kinds: Record<string, string[]> = { topup: ['topup'], refunded: ['debit', 'refund'] };

test('a receipt is pending before the root of its day is due, and has no proof', async () => {
  for (const id of Object.values(ids)) {
    const { status, body } = await receiptOf(id);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'pending' } });
    for (const entry of body.entries)
      expect(entry).toMatchObject({ proof: null, due_at: expect.stringMatching(/T00:05:00.000Z$/) });
  }
});

test('of another workspace there is no receipt', async () => {
  const other = await makeAccount(stage.db, {});
  for (const id of Object.values(ids)) expect((await receiptOf(id, other.secret)).status).toBe(404);
});

test('the client verifies receipts of a call, stream, refund, run and payment with the published keys', async () => {
  expect(await signDays(stage.db.everywhere, sealingKeys, { now: daysFromNow(1) })).toBeGreaterThan(0);
  const { body: published } = await read<{ keys: never[] }>('/.well-known/ledgerline-bill-keys.json');
  for (const [what, id] of Object.entries(ids)) {
    const { body } = await receiptOf(id);
    expect(body.status).toBe('signed');
    expect(body.entries.map(({ entry }) => entry.kind)).toEqual(kinds[what] ?? ['debit']);
    const proven = await new Receipts().verify(body as unknown as Signed, published);
    expect(proven.map(({ kind }) => kind)).toEqual(body.entries.map(({ entry }) => entry.kind));
  }
});

test('the statement of the month is streamed, and the client finds it right', async () => {
  const { body: published } = await read<{ keys: never[] }>('/.well-known/ledgerline-bill-keys.json');
  const headers = { authorization: `Bearer ${account.secret}` };
  const answer = await fetch(`${stage.api.url}/platform/v1/billing/statement?format=jsonl`, { headers });
  expect(answer.headers.get('content-type')).toContain('application/jsonl');
  const rows = (await answer.text()).trimEnd().split('\n');
  expect(await new Statements().verify(rows, published)).toMatchObject({ sequence: 6, signedSequence: 6 });
});

test('the roots are public, and a day without one is 404', async () => {
  const { body } = await read<{ roots: { date: string }[] }>('/.well-known/ledgerline-roots.json?limit=1');
  const { date } = body.roots[0]!;
  expect(await read(`/.well-known/ledgerline-roots/${date}`)).toMatchObject({ status: 200, body: { date } });
  expect((await read('/.well-known/ledgerline-roots/2026-02-31')).status).toBe(404);
});
