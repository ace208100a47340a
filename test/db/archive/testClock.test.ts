import { expect, test } from '@jest/globals';
import { createArchive } from '../../../db/archive/archive.ts';

const microsOf = (time: string) => BigInt(Date.parse(time)) * 1_000n;
const between = (least: unknown, most = least) => ({ least, most });

/** The parts of an archive that has calls with ids of one month, billed at another time. */
async function partsOf(
  workspaceId: string,
  billedAt: string,
  within: { from: Date; to: Date },
  onOpen: (key: string) => void = () => {},
) {
  const stored = {
    key: 'archive/2026-06/requests-0001.parquet',
    month: '2026-06',
    dataset: 'requests',
    rows: 1,
    lastAt: new Date(billedAt),
  };
  const group = {
    first: 0,
    rows: 1,
    between: { workspace_id: between(workspaceId), settled_at: between(microsOf(billedAt)) },
  };
  const files = {
    open: async ({ key }: { key: string }) => {
      onOpen(key);
      return { groups: [group] };
    },
  };
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

test('calls that were billed months after their begin are found by that time', async () => {
  const found = await partsOf('ws_1', '2027-01-15T00:00:00Z', JANUARY);
  expect(found.map(({ from }) => from.toISOString())).toEqual(['2027-01-15T00:00:00.000Z']);
});

test('a file whose rows are all earlier is not opened', async () => {
  const opened: string[] = [];
  await partsOf('ws_1', '2026-12-15T00:00:00Z', JANUARY, (key) => opened.push(key));
  expect(opened).toEqual([]);
  await partsOf('ws_1', '2027-01-15T00:00:00Z', JANUARY, (key) => opened.push(key));
  expect(opened).toHaveLength(1);
});
