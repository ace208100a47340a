import type { Bound } from '../postgres/rows.ts';

type Reader = Pick<Bound, 'client' | 'archive'>;

interface Link {
  accountId: string;
  /** Null: an entry beside the account, which is no link of a chain. */
  sequence?: bigint | null;
  hash?: Uint8Array | null;
}

/** The hashes of entries of one account by their numbers, with that of the entry before each: most are among them. */
export async function readHashes(reader: Reader, entries: Link[]): Promise<Map<bigint, Uint8Array | null | undefined>> {
  const own = entries.flatMap(({ accountId, sequence, hash }) => (sequence ? [{ accountId, sequence, hash }] : []));
  const hashes = new Map(own.map(({ sequence, hash }) => [sequence, hash]));
  const missing = () => own.map(({ sequence }) => sequence - 1n).filter((one) => one > 0n && !hashes.has(one));
  if (missing().length === 0) return hashes;
  const { accountId } = own[0]!;
  const add = async () => {
    for (const [sequence, hash] of await find(reader, accountId, missing())) hashes.set(sequence, hash);
  };
  await add();
  if (missing().length > 0) await withoutLimit(reader, add);
  for (const near of nearEachOther(missing())) {
    const lines = await reader.archive.linesOf(reader.client, { accountId, first: near[0]!, last: near.at(-1)! });
    for (const sequence of near) {
      const line = lines.get(sequence);
      if (line) hashes.set(sequence, Buffer.from((JSON.parse(line) as { hash: string }).hash, 'hex'));
    }
  }
  return hashes;
}

/** The archive reads its rows by groups: one read of so many is one of a single row. */
const NEAR = 10_000n;

function nearEachOther(sequences: bigint[]): bigint[][] {
  const parts: bigint[][] = [];
  for (const sequence of sequences.toSorted((one, other) => (one < other ? -1 : 1))) {
    const last = parts.at(-1);
    if (last && sequence - last[0]! < NEAR) last.push(sequence);
    else parts.push([sequence]);
  }
  return parts;
}

async function find({ client }: Reader, accountId: string, sequences: bigint[]): Promise<[bigint, Uint8Array][]> {
  const { rows } = await client.query<{ sequence: string; hash: Uint8Array }>(HASHES, [accountId, sequences]);
  return rows.map(({ sequence, hash }) => [BigInt(sequence), hash]);
}

const HASHES = 'select sequence, hash from ledger_entries where account_id = $1 and sequence = any ($2::bigint[])';

/**
 * Does `work` in a transaction that is limited to projects as if it were not: the entry before may be a call of another project, and its hash
 * says nothing of it.
 */
async function withoutLimit({ client }: Reader, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ limit: string | null }>(LIMIT);
  const limit = rows[0]!.limit;
  if (!limit) return;
  await client.query(SET_LIMIT, ['']);
  await work();
  await client.query(SET_LIMIT, [limit]);
}

const LIMIT = `select current_setting('app.project_ids', true) as limit`;
const SET_LIMIT = `select set_config('app.project_ids', $1, true)`;
