import { hash } from 'node:crypto';
import type { SealingKeys } from '../sealing/sealingKeys.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { closeDays } from './closeDays.ts';
import { openSigner, type BillSigner } from './signingKeys.ts';
import { createTree, leafHash } from './tree.ts';
import { ACCOUNTS_WITH_LAST_DAY, readUncovered, type UncoveredAccount, writeDay } from './writeDay.ts';

/** How long after midnight (UTC) the root of a day is due. By then every transaction from before midnight has ended. */
const DUE_MINUTES = 5;
// Any number, the same everywhere.
const SIGNING_LOCK = 7_213;

/** When the root of a day (`YYYY-MM-DD`) is due. */
export const rootDueAt = (day: string): Date =>
  new Date(Date.parse(`${day}T00:00:00Z`) + (24 * 60 + DUE_MINUTES) * 60_000);

/**
 * Signs the root of each past day without one, the oldest first, and returns their number. The first day is that of the first entry. Of
 * several processes one signs; the others find nothing to do. `now`: the database's time by default.
 */
export async function signDays(
  everywhere: Rows<undefined>,
  keys: SealingKeys,
  { now, onProgress = () => {} }: { now?: Date; onProgress?: (entries: number) => void } = {},
): Promise<number> {
  const signer = await openSigner(everywhere, keys);
  await closeAll(everywhere);
  for (let signed = 0; ; signed += 1) {
    const isSigned = await everywhere.transaction(async (tx) => {
      const due = await findDue(tx, now);
      if (due) await signDay(tx, { ...due, signer, onProgress });
      return due !== undefined;
    });
    if (!isSigned) return signed;
  }
}

/** Closes the days of test workspaces that have ended by their clocks. */
async function closeAll(everywhere: Rows<undefined>): Promise<void> {
  for (;;) {
    const closed = await everywhere.transaction(async (tx) => ((await lock(tx)) ? closeDays(tx, DUE_MINUTES) : 0));
    if (closed === 0) return;
  }
}

async function lock({ client }: AnyTransaction): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
    SIGNING_LOCK,
  ]);
  return rows[0]!.free;
}

interface Due {
  day: string;
  /** The day after. */
  next: string;
  /** The signed root of the day before. */
  previous: string | null;
}

async function findDue(tx: AnyTransaction, now: Date | undefined): Promise<Due | undefined> {
  if (!(await lock(tx))) return undefined;
  const { rows } = await tx.client.query<Due & { now: Date }>(DUE);
  const due = rows[0]!;
  return rootDueAt(due.day) <= (now ?? due.now) ? due : undefined;
}

// The day after the last root, or the first day of an account, or yesterday.
const DUE = `
select to_char(d.day, 'YYYY-MM-DD') as day, to_char(d.day + 1, 'YYYY-MM-DD') as next, d.signed as previous, now() as now from (
  select coalesce(l.day + 1, (select (min(created_at) at time zone 'utc')::date from accounts where kind = 'customer'),
    (now() at time zone 'utc')::date - 1) as day, l.signed
  from (select 1) one left join (select day, signed from bill_roots order by day desc limit 1) l on true) d`;

type Order = Due & { signer: BillSigner; onProgress: (entries: number) => void };

async function signDay(tx: AnyTransaction, { day, next, previous, signer, onProgress }: Order): Promise<void> {
  const tree = createTree();
  let workspaces = 0;
  const { em, BillDay } = tx;
  for (const { workspaceId, leaf } of await em.find(
    BillDay,
    { day, place: null },
    { orderBy: { workspaceId: 'asc' } },
  )) {
    tree.add(leafHash(leaf));
    await em.nativeUpdate(BillDay, { workspaceId, day }, { place: workspaces });
    workspaces += 1;
  }
  for (const account of await readMovedAccounts(tx, next)) {
    const leaf = await writeDay(tx, account, { day, next, place: workspaces, onProgress });
    if (leaf === undefined) continue;
    tree.add(leafHash(leaf));
    workspaces += 1;
  }
  const { root, chunks } = tree.end();
  const signed = JSON.stringify({
    object: 'ledger.root',
    date: day,
    workspaces,
    root: root.toString('hex'),
    previous: previous === null ? null : hash('sha256', previous, 'hex'),
    key_id: signer.keyId,
  });
  await em.insert(tx.BillRoot, { day, signed, signature: signer.sign(signed), keyId: signer.keyId, chunks });
}

/** The accounts with entries from before a day that no root covers yet, and the first such entries. */
async function readMovedAccounts(tx: AnyTransaction, next: string): Promise<UncoveredAccount[]> {
  const rows = await readUncovered<{ workspace: string; account: string; first: string }>(tx, MOVED, [next]);
  return rows.map(({ workspace, account, first }) => ({
    workspaceId: workspace,
    accountId: account,
    firstSequence: BigInt(first),
  }));
}

// Most accounts with later entries have none of the day: their first one tells. Those whose day is closed already have it.
const MOVED = `
select a.workspace_id as workspace, a.id as account, coalesce(d.last_sequence, 0) + 1 as first
from ${ACCOUNTS_WITH_LAST_DAY}
  cross join lateral (
    select e.created_at from ledger_entries e where e.account_id = a.id and e.sequence = coalesce(d.last_sequence, 0) + 1 limit 1) f
where a.kind = 'customer' and a.entry_count > coalesce(d.last_sequence, 0) and f.created_at < $1::timestamp at time zone 'utc'
  and coalesce(d.day < $1::date - 1, true) order by a.workspace_id collate "C"`;
