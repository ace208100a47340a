import { expect, test } from '@jest/globals';
import { createTree, leafHash, proofOf, rootOf } from '../../../db/bill/tree.ts';
import { createHash } from 'node:crypto';

// RFC 6962 as it is written, from the top down.
const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const leafOf = (text: string) => sha256(Buffer.of(0), Buffer.from(text));
function topOf(leaves: Buffer[]): Buffer {
  if (leaves.length < 2) return leaves[0] ?? sha256();
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return sha256(Buffer.of(1), topOf(leaves.slice(0, half)), topOf(leaves.slice(half)));
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, at) => `{"sequence":${at}}`);

test.each([0, 1, 2, 3, 7, 8, 256, 257, 600])('the root of %i leaves is that of RFC 6962', (count) => {
  const texts = leavesOf(count);
  const leaves = texts.map(leafHash);
  expect(texts.map(leafOf)).toEqual(leaves);
  expect(topOf(leaves)).toEqual(rootOf(leaves));
  const tree = createTree();
  for (const leaf of leaves) tree.add(leaf);
  expect(tree.end().root).toEqual(topOf(leaves));
});

test('of two leaves each proves the other', () => {
  const leaves = leavesOf(2).map(leafHash);
  expect(proofOf(0, leaves, rootOf(leaves))).toEqual([leaves[1]!.toString('hex')]);
});
