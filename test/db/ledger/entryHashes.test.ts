import { expect, test } from '@jest/globals';
import { readHashes } from '../../../db/ledger/entryHashes.ts';

test('hashes of entries that are near each other in the archive are read together', async () => {
  const ranges: [bigint, bigint][] = [];
  const hashOf = (sequence: bigint) => sequence.toString(16).padStart(8, '0');
  const archive = {
    linesOf: async (_: unknown, { first, last }: { first: bigint; last: bigint }) => {
      ranges.push([first, last]);
      const numbers = Array.from({ length: Number(last - first) + 1 }, (_one, at) => first + BigInt(at));
      return new Map(numbers.map((one) => [one, JSON.stringify({ hash: hashOf(one) })]));
    },
  };
  const client = { query: async (text: string) => ({ rows: text.includes('as limit') ? [{ limit: null }] : [] }) };
  // The entry before each of these payments is an archived call.
  const payments = [50_000n, 9n, 5n, 1n].map((sequence) => ({ accountId: 'acct_1', sequence, hash: Buffer.of(1) }));
  const hashes = await readHashes({ client, archive } as never, payments);
  expect(ranges).toEqual([
    [4n, 8n],
    [49_999n, 49_999n],
  ]);
  for (const before of [4n, 8n, 49_999n]) expect(Buffer.from(hashes.get(before)!).toString('hex')).toBe(hashOf(before));
  expect([...hashes.keys()].toSorted((one, other) => Number(one - other))).toEqual([
    1n,
    4n,
    5n,
    8n,
    9n,
    49_999n,
    50_000n,
  ]);
});
