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
  for (const sequence of missing()) {
    const line = (await reader.archive.linesOf(reader.client, { accountId, first: sequence, last: sequence })).get(
      sequence,
    );
    if (line) hashes.set(sequence, Buffer.from((JSON.parse(line) as { hash: string }).hash, 'hex'));
  }
  return hashes;
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
