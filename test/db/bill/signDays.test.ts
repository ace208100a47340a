import { afterAll, expect, test } from '@jest/globals';
import { readReceipts } from '../../../db/bill/receipts.ts';
import { listRoots } from '../../../db/bill/roots.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { listBillKeys } from '../../../db/bill/signingKeys.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { Receipts, type Receipt } from '../../../clients/typescript/src/index.ts';
import { runAdmin } from '../../ops/admin/runAdmin.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { daysFromNow, spreadOverDays, tamper } from '../../support/billDays.ts';
import { setTestDatabase } from '../../support/database.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';

const PLUGIN_SECRETS_KEY = createSealingKey();
const sealingKeys = parseSealingKeys(PLUGIN_SECRETS_KEY);

// Two entries on each of the three days before today.
const db = await setTestDatabase();
const { spender } = await makeSpender(db, {});
for (let at = 0; at < 5; at += 1)
  await db.ledger.settle(await db.ledger.hold(spender, 5_000n), billOf(spender, 100n + BigInt(at)));
await spreadOverDays(db.url, { days: 3, perDay: 2 });

afterAll(() => db.close());

const daysOf = async () => (await listRoots(db.everywhere, { limit: 400 })).roots.map(({ date }) => date).toReversed();
const receiptOf = async (sequence: bigint) => (await readReceipts(db.everywhere, spender, [sequence]))[0]!;
const brokenBy = async () =>
  (await checkInvariants(db.pool)).violations.filter(({ rule }) => rule === 'the ledger is what was signed');

test('missed days are signed once by two processes, and the day that has not ended is not', async () => {
  const sign = () => signDays(db.everywhere, sealingKeys, { now: daysFromNow(0) });
  const signed = await Promise.all([sign(), sign()]);
  expect(signed[0] + signed[1]).toBe(3);
  expect((await daysOf()).length).toBe(3);
  expect(await sign()).toBe(0);
  expect(await brokenBy()).toEqual([]);
});

test('an entry has a receipt that the client verifies, once its day is signed', async () => {
  const [{ placed }, keys] = [await receiptOf(3n), await listBillKeys(db.everywhere)];
  const entry = JSON.parse(placed!.leaf) as { hash: string };
  const verify = (own: object) =>
    new Receipts().verify({ object: 'receipt', entries: [{ ...own, entry }] } as unknown as Receipt, keys);
  expect(JSON.parse(placed!.leaf)).toMatchObject({
    kind: 'debit',
    consumed: { model: 'ledgerline-text-1', usage: { input_tokens: 10, output_tokens: 5 } },
  });
  expect(await verify(placed!)).toMatchObject([{ sequence: 3 }]);
  const dearer = { ...placed!, leaf: placed!.leaf.replace('"output_tokens": 5', '"output_tokens": 6') };
  await expect(verify(dearer)).rejects.toThrow(/^the proof does not lead to the root/);
});

test('a day without entries has a root, and a replaced key still checks what it signed', async () => {
  const before = await listBillKeys(db.everywhere);
  const rotated = await runAdmin(['ledger', 'rotate-key'], { DATABASE_URL: db.url, PLUGIN_SECRETS_KEY });
  expect(rotated).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await signDays(db.everywhere, sealingKeys, { now: daysFromNow(2) })).toBe(2);
  const keys = await listBillKeys(db.everywhere);
  expect(keys.map(({ kid }) => kid).slice(0, 1)).toEqual(before.map(({ kid }) => kid));
  expect(keys[0]!.valid_until).toBe(keys[1]!.valid_from);
  expect(await brokenBy()).toEqual([]);
});

test('a row that was changed after it was signed is found', async () => {
  const debit = `kind = 'debit' and account_id = '${spender.accountId}' and sequence = 3`;
  const usage = (tokens: number) => `update requests set usage = '{"input_tokens": 10, "output_tokens": ${tokens}}'
    where id = (select subject from ledger_entries where ${debit})`;
  await tamper(db.url, usage(6));
  expect(await brokenBy()).toEqual([
    { rule: 'the ledger is what was signed', detail: expect.stringContaining('entries 3 to 4 are not those signed') },
  ]);
  await tamper(db.url, usage(5));
  expect(await brokenBy()).toEqual([]);
  await tamper(db.url, `update bill_roots set signature = 'AAAA' where day = (select min(day) from bill_roots)`);
  expect(await brokenBy()).toMatchObject([{ detail: expect.stringContaining('the signature is wrong') }]);
});
