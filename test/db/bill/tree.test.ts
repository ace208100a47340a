import { expect, test } from '@jest/globals';
import { createTree, leafHash, proofOf, rootOf, rowAbove } from '../../../db/bill/tree.ts';
import * as example from '../../../docs/examples/checkStatement.ts';

const leavesOf = (count: number) => Array.from({ length: count }, (_, at) => `{"sequence":${at}}`);

test.each([0, 1, 2, 3, 7, 8, 256, 257, 600])('the checker that customers copy hashes %i leaves alike', (count) => {
  const texts = leavesOf(count);
  const leaves = texts.map(leafHash);
  expect(texts.map(example.leafHash)).toEqual(leaves);
  expect(example.rowAbove(leaves)).toEqual(rowAbove(leaves));
  expect(example.rootOf(leaves)).toEqual(rootOf(leaves));
  const tree = createTree();
  for (const leaf of leaves) tree.add(leaf);
  expect(tree.end().root).toEqual(example.rootOf(leaves));
});

test('of two leaves each proves the other', () => {
  const leaves = leavesOf(2).map(leafHash);
  expect(proofOf(0, leaves, rootOf(leaves))).toEqual([leaves[1]!.toString('hex')]);
});
