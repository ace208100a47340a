import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { sumHoursOfAll } from '../../../db/accounting/usageCells.ts';
import { takeDown } from '../../../db/publishing/endings.ts';
import { endPayout, requestPayout } from '../../../db/payments/payouts.ts';
import { shareRun } from '../../../db/publishedRuns/runShares.ts';
import { batchText, settlementOf } from '../../../db/ledger/settlement.ts';
import { refundAnswers } from '../../../db/ledger/sweep.ts';
import { openTestWorkspace } from '../../../db/testMode/testMode.ts';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { expectSoundLedger, makeBill } from '../../support/ledger.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { readText } from '../../support/sources.ts';
import { CROSSINGS } from './crossings.ts';
import { crossingsOf, noteTouched } from './touched.ts';

type Account = Awaited<ReturnType<typeof makeAccount>>;

const agentId = newId('agent');

const db = await setTestDatabase();
const owner = new Client({ connectionString: ownerUrlOf(db.url) });
await owner.connect();
const [caller, neighbour, publisher] = [await makeAccount(db), await makeAccount(db), await makeAccount(db)];
const names = {
  [caller.workspaceId]: 'caller',
  [neighbour.workspaceId]: 'neighbour',
  [publisher.workspaceId]: 'publisher',
};
await db.pool.query(
  `insert into agents (id, workspace_id, namespace, slug, draft) values ($1, $2, 'test', 'agent', '{}')`,
  [agentId, publisher.workspaceId],
);
await db.pool.query(
  `insert into deployments (id, workspace_id, agent_id, version_id, visibility, status) values ($1, $2, $3, 'aver_a', 'public', 'active')`,
  [newId('dep'), publisher.workspaceId, agentId],
);
await noteTouched(owner);
beforeEach(() => crossingsOf(owner, names));
afterAll(async () => {
  await owner.end();
  await expectSoundLedger(db);
  await db.close();
});

/** A run of the caller with the publisher's agent, which has ended. */
async function runOf(shares: Parameters<typeof finishTestRun>[2]): Promise<string> {
  const run = await makeRun(db, caller, { publisherWorkspaceId: publisher.workspaceId });
  await db.pool.query('update runs set agent_id = $2 where id = $1', [run.id, agentId]);
  await finishTestRun(db, run, shares);
  return run.id;
}

const call = async (spender: Account, costNanos: bigint) =>
  db.ledger.settle(await db.ledger.hold(spender, 5_000n), makeBill(spender, { costNanos }));

const person = (personId: string) => ({ personId, isKnown: true, name: personId, keyId: null, requestId: 'req_1' });

const transfer = (kind: string, { workspaceId }: Account, amountNanos: bigint) =>
  db.ledger.transfer({ kind, subject: newId('test'), workspaceId, houseAccountId: 'payments', amountNanos });

/** A payout that is requested from new earnings. */
async function payOut(destination: 'balance' | 'transfer'): Promise<string> {
  await runOf({ subtotalNanos: 100n });
  const id = newId('po');
  const order = { id, amountNanos: 100n, destination, by: person('ada'), matureDays: 0 };
  expect(await requestPayout(db.write(publisher.workspaceId), order)).toMatchObject({ id });
  await crossingsOf(owner, names);
  return id;
}

describe('of two workspaces is', () => {
  test('a settled run, whose halves are a ledger transaction each', async () => {
    await runOf({ subtotalNanos: 200n, networkFeeNanos: 20n, platformCostNanos: 50n });
    expect(await crossingsOf(owner, names)).toEqual(CROSSINGS['a run is settled']!.transactions);
    const { rows } = await db.pool.query(`select from ledger_entries where kind <> 'debit' or subject like 'run\\_%'
      group by transaction_id having count(distinct workspace_id) > 1`);
    expect(rows).toEqual([]);
  });

  test('a batch of settlements', async () => {
    const batch = await Promise.all([caller, neighbour].map(async (one) => settlementOf(await db.ledger.hold(one, 5_000n), makeBill(one, { costNanos: 700n })))); // prettier-ignore
    await crossingsOf(owner, names);
    await db.pool.query('select ledger_settle($1::text::ledger_settlement[], $2)', [batchText(batch), []]);
    expect(await crossingsOf(owner, names)).toEqual(CROSSINGS['calls are settled together']!.transactions);
  });

  test('a run that is shared with its publisher', async () => {
    const runId = await runOf({ subtotalNanos: 100n });
    await crossingsOf(owner, names);
    await shareRun(db.write(caller.workspaceId), runId, { days: 1, by: { keyId: null, requestId: 'req_1' } });
    expect(await crossingsOf(owner, names)).toEqual(CROSSINGS['a run is shared']!.transactions);
  });

  test('an agent that is taken down', async () => {
    await runOf({ subtotalNanos: 100n });
    await crossingsOf(owner, names);
    const ending = { agentId, message: 'Gone', by: { keyId: null, requestId: 'req_1' } };
    expect(await takeDown(db.everywhere, publisher.workspaceId, ending)).toEqual({ outcome: 'done' });
    expect(await crossingsOf(owner, names)).toEqual(CROSSINGS['an agent is taken down']!.transactions);
  });

  test('the test workspace of a live one', async () => {
    await openTestWorkspace(db.everywhere, neighbour.workspaceId);
    expect(await crossingsOf(owner, names)).toEqual([]);
  });
});

test('the page about scale says how each of them is divided', () => {
  const page = readText('docs/operate/scale.md');
  expect(Object.values(CROSSINGS).filter(({ where }) => !page.includes(where))).toEqual([]);
});

describe('of one workspace is', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a call', () => call(caller, 300n)],
    ['a payment', () => transfer('topup', caller, 500n)],
    ['a refund', refundOne],
    ['a run that fails', () => runOf({ status: 'failed', absorbedNanos: 70n })],
    ['a payout to the balance', () => payOut('balance')],
    ['a payout as a transfer', () => payOut('transfer')],
    ['a rejected transfer', async () => endPayout(db.everywhere, await payOut('transfer'), { status: 'rejected', reason: 'x', by: person('olga') })], // prettier-ignore
    ['a sent transfer', async () => endPayout(db.everywhere, await payOut('transfer'), { status: 'sent', reference: 'x', by: person('olga') })], // prettier-ignore
    ['a sweep', () => db.ledger.reap()],
    ['a sum of hours', () => sumHoursOfAll(db)],
  ])('%s', async (_, work) => {
    await work();
    expect(await crossingsOf(owner, names)).toEqual([]);
  });
});

async function refundOne(): Promise<void> {
  const hold = await db.ledger.hold(caller, 5_000n);
  const bill = makeBill(caller, { costNanos: 400n });
  await db.ledger.settle(hold, bill);
  await refundAnswers(db.pool, [{ id: bill.requestId, hold: hold.id }]);
}
