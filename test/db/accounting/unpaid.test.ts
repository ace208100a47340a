import { expect, test } from '@jest/globals';
import { readAbsorbed, readWrittenOff } from '../../../db/accounting/unpaid.ts';
import { billOf, makeSpender, openLedger } from '../../support/ledger.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';

const db = await openLedger();

/** A call whose cost exceeds its hold by this much. */
async function writeOff(options: Parameters<typeof makeSpender>[1], beyondNanos: bigint): Promise<string> {
  const { spender } = await makeSpender(db, options);
  const held = await db.ledger.hold(spender, 1_000n);
  await db.ledger.settle(held, billOf(spender, held.amountNanos + beyondNanos));
  return spender.workspaceId;
}

test('what was written off today is summed for each workspace, without test money', async () => {
  const less = await writeOff({}, 1_000_000n);
  const most = await writeOff({}, 3_000_000n);
  await writeOff({}, 0n);
  await writeOff({ isTest: true }, 5_000_000n);
  await db.ledger.posted();
  expect(await readWrittenOff(db.everywhere)).toEqual([
    { workspace: 'all', usd: 0.004 },
    { workspace: most, usd: 0.003 },
    { workspace: less, usd: 0.001 },
  ]);
});

/** A failed run that consumed this much. */
async function failRun(options: Parameters<typeof makeSpender>[1], absorbedNanos: bigint): Promise<string> {
  const { spender } = await makeSpender(db, options);
  await finishTestRun(db, await makeRun(db, spender), { status: 'failed', absorbedNanos });
  return spender.workspaceId;
}

test('what failed runs consumed today is summed for each workspace, without test money', async () => {
  const less = await failRun({}, 1_000_000n);
  const most = await failRun({}, 3_000_000n);
  await failRun({}, 0n);
  await failRun({ isTest: true }, 5_000_000n);
  expect(await readAbsorbed(db.everywhere)).toEqual([
    { workspace: 'all', usd: 0.004 },
    { workspace: most, usd: 0.003 },
    { workspace: less, usd: 0.001 },
  ]);
});
