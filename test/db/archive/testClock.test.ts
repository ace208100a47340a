import { expect, test } from '@jest/globals';
import { createArchive } from '../../../db/archive/archive.ts';

const microsOf = (time: string) => BigInt(Date.parse(time)) * 1_000n;
const between = (least: unknown, most = least) => ({ least, most });

/** The parts of an archive that has calls with ids of one month, billed at another time. */
async function partsOf(workspaceId: string, billedAt: string, within: { from: Date; to: Date }) {
  const stored = { key: 'archive/2026-06/requests-0001.parquet', month: '2026-06', dataset: 'requests', rows: 1 };
  const group = {
    first: 0,
    rows: 1,
    between: { workspace_id: between(workspaceId), settled_at: between(microsOf(billedAt)) },
  };
  const files = { open: async () => ({ groups: [group] }) };
  const client = {
    query: async (_: string, values: string[] = []) => ({ rows: values[0] === 'requests' ? [stored] : [] }),
  };
  return createArchive(files as never)!.parts({ client, workspaceId } as never, within);
}

const JANUARY = { from: new Date('2027-01-01'), to: new Date('2027-02-01') };

test('calls of a test workspace are found by its time, which is ahead of that in their ids', async () => {
  const found = await partsOf('wst_1', '2027-01-15T00:00:00Z', JANUARY);
  expect(found.map(({ from }) => from.toISOString())).toEqual(['2027-01-15T00:00:00.000Z']);
  expect(await partsOf('wst_1', '2027-02-15T00:00:00Z', JANUARY)).toEqual([]);
});

test('calls of others are billed within days: no file of an earlier month is opened for them', async () => {
  expect(await partsOf('ws_1', '2027-01-15T00:00:00Z', JANUARY)).toEqual([]);
});
