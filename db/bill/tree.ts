import { hash } from 'node:crypto';

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

const sha256 = (...parts: Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

/** The hash of a leaf in a Merkle tree as in RFC 6962. The packages for customers have the same rules. */
export const leafHash = (text: string): Buffer => sha256(LEAF, Buffer.from(text));

/** The nodes above a row of nodes. The last node of an odd row is its own parent. */
const rowAbove = (row: Buffer[]): Buffer[] =>
  row.flatMap((one, at) => {
    if (at % 2 === 1) return [];
    const next = row[at + 1];
    return [next ? sha256(NODE, one, next) : one];
  });

/** The root above a row of nodes; without nodes, the hash of nothing. */
export const rootOf = (row: Buffer[]): Buffer => (row.length > 1 ? rootOf(rowAbove(row)) : (row[0] ?? sha256()));

/** Leaves of one stored node: a proof needs the leaves of one chunk and the nodes of the others. A power of two. */
const CHUNK_LEAVES = 256;
const HASH_BYTES = 32;

/** Collects the hashes of leaves, in order, in the memory of one chunk and the roots of the others. */
export function createTree() {
  let leaves: Buffer[] = [];
  const chunks: Buffer[] = [];
  const endChunk = () => {
    if (leaves.length > 0) chunks.push(rootOf(leaves));
    leaves = [];
  };
  return {
    add(leaf: Buffer): void {
      leaves.push(leaf);
      if (leaves.length === CHUNK_LEAVES) endChunk();
    },
    /** The root, and the roots of the chunks one after another. */
    end(): { root: Buffer; chunks: Buffer } {
      endChunk();
      return { root: rootOf(chunks), chunks: Buffer.concat(chunks) };
    },
  };
}

/** The chunk that holds a leaf: its first leaf, and the number of leaves in it at most. */
export const chunkAt = (index: number): { first: number; count: number } => ({
  first: index - (index % CHUNK_LEAVES),
  count: CHUNK_LEAVES,
});

/** The proof of a leaf, as hexadecimal hashes from the leaf to the root. `leaves`: the hashes of its chunk. */
export function proofOf(index: number, leaves: Buffer[], chunks: Uint8Array): string[] {
  const roots = Array.from({ length: chunks.length / HASH_BYTES }, (_, at) =>
    Buffer.from(chunks.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)),
  );
  const path = [...siblings(leaves, index % CHUNK_LEAVES), ...siblings(roots, Math.floor(index / CHUNK_LEAVES))];
  return path.map((hash) => hash.toString('hex'));
}

function siblings(leaves: Buffer[], index: number): Buffer[] {
  const found: Buffer[] = [];
  for (let row = leaves, at = index; row.length > 1; row = rowAbove(row), at >>= 1) {
    const sibling = row[at ^ 1];
    if (sibling) found.push(sibling);
  }
  return found;
}
