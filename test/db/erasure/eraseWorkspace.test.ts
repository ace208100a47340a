import { afterAll, describe, expect, test } from '@jest/globals';
import { readReceipts } from '../../../db/bill/receipts.ts';
import { listBillKeys } from '../../../db/bill/signingKeys.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { eraseWorkspace, listDueErasures } from '../../../db/erasure/eraseWorkspace.ts';
import { cancelErasure, findErasure, orderErasure } from '../../../db/erasure/erasures.ts';
import { newId } from '../../../db/ids.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { Receipts, type Receipt } from '../../../clients/typescript/src/index.ts';
import { runAdmin } from '../../ops/admin/runAdmin.ts';
import { applyFact, createTopup } from '../../../db/payments/topups.ts';
import { openTestWorkspace } from '../../../db/testMode/testMode.ts';
import { makeAccount } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { daysFromNow, sealingKeys, spreadOverDays } from '../../support/billDays.ts';
import { setTestDatabase } from '../../support/database.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';
import { storeFile } from '../sessions/sessionStage.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const by = { keyId: null, requestId: 'req_test' };
const order = (workspaceId: string) => orderErasure(db.everywhere, { workspaceId, by });
const makeDue = () => db.pool.query('update erasures set due_at = now() where cancelled_at is null');
const places = { deleteHistories: async () => 0, endPayments: async () => {}, onProgress: () => {} };
const dueOf = async (workspaceId: string) =>
  (await listDueErasures(db)).find((erasure) => erasure.workspaceId === workspaceId)!;
const openTestWorkspaceOf = (workspaceId: string) =>
  db.everywhere.transaction((tx) => openTestWorkspace(tx, workspaceId));
const actionsOn = async (workspaceId: string) => {
  const sql = 'select action from audit_entries where workspace_id = $1 order by created_at, id';
  return (await db.pool.query<{ action: string }>(sql, [workspaceId])).rows.map(({ action }) => action);
};

describe('an order', () => {
  test('ends the keys and unlists the agents at once; its cancellation brings both back', async () => {
    const { workspaceId, secret, keyId } = await makeAccount(db);
    const revoked = await createKey(db.everywhere, { workspaceId, name: 'old', scopes: ['llm'] });
    await db.pool.query(`update api_keys set revoked_at = now() - interval '1 day' where id = $1`, [revoked.id]);
    await publishAgent(db, {}, { workspaceId });
    const statuses = async () =>
      (await db.pool.query('select status from deployments where workspace_id = $1', [workspaceId])).rows;
    expect(await order(workspaceId)).toMatchObject({ workspaceId, startedAt: null });
    expect(await db.keys.find(secret)).toBeNull();
    expect(await statuses()).toEqual([{ status: 'suspended' }]);
    // A second order finds the first.
    expect(await order(workspaceId)).toEqual(await findErasure(db.everywhere, workspaceId));
    expect(await cancelErasure(db.everywhere, { workspaceId, by })).toBe('cancelled');
    const { rows } = await db.pool.query('select id from api_keys where workspace_id = $1 and revoked_at is null', [
      workspaceId,
    ]);
    expect(rows).toEqual([{ id: keyId }]);
    expect(await statuses()).toEqual([{ status: 'active' }]);
    expect(await cancelErasure(db.everywhere, { workspaceId, by })).toBe('not_found');
    expect(await actionsOn(workspaceId)).toEqual(['order_erasure', 'cancel_erasure']);
  });

  test('of an operator needs the name of the workspace', async () => {
    const { workspaceId } = await makeAccount(db);
    const admin = (...args: string[]) => runAdmin(['workspaces', ...args], { DATABASE_URL: db.url });
    const wrong = await admin('erase', workspaceId, '--name', 'other');
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nothing was changed') });
    expect(await findErasure(db.everywhere, workspaceId)).toBeUndefined();
    expect(await admin('erase', workspaceId, '--name', 'test', '--days', '0')).toMatchObject({ exitCode: 0 });
    expect(await findErasure(db.everywhere, workspaceId)).toMatchObject({ userId: null, startedAt: null });
    expect(await admin('keep', workspaceId)).toMatchObject({ exitCode: 0, stdout: `${workspaceId} is not erased.\n` });
    expect(await admin('keep', workspaceId)).toMatchObject({ exitCode: 1 });
  });
});

describe('an erasure', () => {
  test('killed after any step is finished by the next; ledger, chain and receipts stay valid', async () => {
    const { spender } = await makeSpender(db, {});
    const { workspaceId } = spender;
    for (let at = 0; at < 3; at += 1)
      await db.ledger.settle(await db.ledger.hold(spender, 5_000n), billOf(spender, 100n + BigInt(at)));
    await storeFile(db, workspaceId, { text: 'x'.repeat(600_000) });
    await spreadOverDays(db.url, { days: 2, perDay: 2 });
    await signDays(db.everywhere, sealingKeys, { now: daysFromNow(0) });
    const [before, { violations }] = [await entriesOf(workspaceId), await checkInvariants(db.pool)];
    await order(workspaceId);
    await makeDue();
    const due = await dueOf(workspaceId);
    let attempts = 0;
    for (let isErased = false; !isErased; attempts += 1) {
      let left = attempts * 7;
      const onProgress = () => {
        if ((left -= 1) < 0) throw new Error('killed');
      };
      isErased = await eraseWorkspace(db, due, { ...places, onProgress }).catch(() => false);
    }
    expect(attempts).toBeGreaterThan(3);
    expect(await dueOf(workspaceId)).toBeUndefined();
    expect(await entriesOf(workspaceId)).toEqual(before);
    expect(before.length).toBe(4);
    // The test moved the entries to other days, which the key's days show before and after.
    expect((await checkInvariants(db.pool)).violations).toEqual(violations);
    const [{ placed }, keys] = [
      (await readReceipts(db.everywhere, spender, [2n]))[0]!,
      await listBillKeys(db.everywhere),
    ];
    const entry = { ...placed!, entry: JSON.parse(placed!.leaf) as { hash: string } };
    const receipt = { object: 'receipt', entries: [entry] } as unknown as Receipt;
    expect(await new Receipts().verify(receipt, keys)).toMatchObject([{ sequence: 2 }]);
    expect((await actionsOn(workspaceId)).filter((action) => action === 'erase_workspace')).toHaveLength(1);
    const left = await db.pool.query('select from file_chunks where workspace_id = $1', [workspaceId]);
    expect(left.rowCount).toBe(0);
    expect(await cancelErasure(db.everywhere, { workspaceId, by })).toBe('started');
  });

  test('does not begin before its grace is over, nor after its cancellation', async () => {
    const { workspaceId } = await makeAccount(db);
    const ordered = await order(workspaceId);
    if (typeof ordered === 'string') throw new Error(ordered);
    expect(await dueOf(workspaceId)).toBeUndefined();
    expect(await eraseWorkspace(db, ordered, places)).toBe(false);
    await makeDue();
    await cancelErasure(db.everywhere, { workspaceId, by });
    expect(await eraseWorkspace(db, ordered, places)).toBe(false);
    expect(await dueOf(workspaceId)).toBeUndefined();
  });

  test('leaves no event, also none of what happens later', async () => {
    const { workspaceId } = await makeAccount(db);
    const test = await openTestWorkspaceOf(workspaceId);
    await order(workspaceId);
    await makeDue();
    expect(await eraseWorkspace(db, await dueOf(workspaceId), places)).toBe(true);
    const paid = { currency: 'usd', livemode: true, sessionId: null, amountNanos: 5_000_000_000n };
    for (const id of [workspaceId, test]) {
      const order = { workspaceId: id, origin: 'checkout', requestId: null, ...paid } as const;
      const topupId = await createTopup(db.pool, order);
      await applyFact(db, { type: 'paid', ...paid, topupId, workspaceId: id, paymentIntent: `pi_${topupId}` });
    }
    const events = 'select type, workspace_id from platform_events where workspace_id = any ($1)';
    expect((await db.pool.query(events, [[workspaceId, test]])).rows).toEqual([]);
  });

  test('waits for a transfer of earnings that was asked for in its grace', async () => {
    const { workspaceId } = await makeAccount(db);
    await order(workspaceId);
    const id = newId('po');
    await db.pool.query(
      `insert into payouts (id, workspace_id, amount_nanos, destination, status, requested_by, requester)
       values ($1, $2, 50, 'transfer', 'requested', 'user_ada', 'Ada')`,
      [id, workspaceId],
    );
    await makeDue();
    const due = await dueOf(workspaceId);
    expect(await eraseWorkspace(db, due, places)).toBe(false);
    const { rows } = await db.pool.query('select requester from payouts where id = $1', [id]);
    expect(rows).toEqual([{ requester: 'Ada' }]);
    await db.pool.query(`update payouts set status = 'rejected', reason = 'none' where id = $1`, [id]);
    expect(await eraseWorkspace(db, due, places)).toBe(true);
  });

  test('keeps audit entries and versions of agents unchangeable otherwise', async () => {
    const { workspaceId } = await makeAccount(db);
    await order(workspaceId);
    const change = `update audit_entries set detail = '{}' where workspace_id = $1`;
    await expect(db.pool.query(change, [workspaceId])).rejects.toThrow('audit_entries are never changed');
    await expect(
      db.everywhere.transaction(async ({ client }) => {
        await client.query(`set local ledgerline.erasing = 'on'`);
        await client.query(`update audit_entries set action = 'none' where workspace_id = $1`, [workspaceId]);
      }),
    ).rejects.toThrow(/permission denied|never changed/);
  });
});

const entriesOf = async (workspaceId: string) =>
  (await db.pool.query('select * from ledger_entries where workspace_id = $1 order by sequence', [workspaceId])).rows;
