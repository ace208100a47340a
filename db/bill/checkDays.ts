import { hash, verify } from 'node:crypto';
import type { ClientBase } from 'pg';
import { readEntryLines } from './entryLines.ts';
import { readBillKeys, type PublishedKey } from './signingKeys.ts';
import { createTree, leafHash, rootOf } from './tree.ts';

/**
 * Compares the ledger as it is now with the signed days, for the last `days` of them (null: all): each signature, the order of the roots,
 * and every entry with its cause. Returns a text for each difference.
 */
export async function findUnsigned(client: ClientBase, days: number | null): Promise<string[]> {
  const { rows: roots } = await client.query<Root>(ROOTS, [days]);
  const keys = await readBillKeys(client);
  const found: string[] = [];
  let previous: string | undefined;
  for (const { day, signed, signature } of roots) {
    try {
      const root = checkRoot({ signed, signature }, keys);
      if (root.date !== day || (previous !== undefined && root.previous !== previous))
        found.push(`the root of ${day} does not follow the one before`);
      previous = root.hash;
      found.push(...(await findChanged(client, day, root.root)));
    } catch (error) {
      found.push(`the root of ${day}: ${(error as Error).message}`);
    }
  }
  return found;
}

/** A day's root with its hash, after a published key was found to have signed it. Throws an error with the fault. */
function checkRoot({ signed, signature }: Omit<Root, 'day'>, keys: PublishedKey[]): SignedRoot & { hash: string } {
  const root = JSON.parse(signed) as SignedRoot;
  const isOfRoot = ({ kid, valid_until: end }: PublishedKey) =>
    kid === root.key_id && (end === null || end.slice(0, 10) > root.date);
  const key = keys.find(isOfRoot);
  if (!key) throw new Error(`no published key ${root.key_id} was valid after ${root.date}`);
  const bytes = Buffer.from(signed);
  if (!verify(null, bytes, { key: { ...key }, format: 'jwk' }, Buffer.from(signature, 'base64')))
    throw new Error('the signature is wrong');
  return { ...root, hash: hash('sha256', bytes, 'hex') };
}

async function findChanged(client: ClientBase, day: string, root: string): Promise<string[]> {
  const { rows } = await client.query<Day>(DAYS, [day]);
  const found: string[] = [];
  for (const { account, first, last, leaf, dropped } of rows) {
    // Its entries are in the archive of their month: the root covers the leaf, and the leaf the entries there.
    if (dropped) continue;
    const tree = createTree();
    for await (const lines of readEntryLines(client, { accountId: account, first: BigInt(first), last: BigInt(last) }))
      for (const line of lines) tree.add(leafHash(line));
    const { entries_root: signed } = JSON.parse(leaf) as { entries_root: string };
    if (tree.end().root.toString('hex') !== signed)
      found.push(`account ${account} entries ${first} to ${last} are not those signed for ${day}`);
  }
  if (rootOf(rows.map(({ leaf }) => leafHash(leaf))).toString('hex') !== root)
    found.push(`the accounts of ${day} are not those that were signed`);
  return found;
}

type Root = Record<'day' | 'signed' | 'signature', string>;
type SignedRoot = Record<'root' | 'date' | 'previous' | 'key_id', string>;
type Day = Record<'account' | 'first' | 'last' | 'leaf', string> & { dropped: boolean };

const ROOTS = `
select * from (select to_char(day, 'YYYY-MM-DD') as day, signed, signature from bill_roots order by bill_roots.day desc limit $1) r order by day`;
const DAYS = `
select account_id as account, first_sequence as first, last_sequence as last, leaf, exists (
  select from ledger_carried_ranges r where r.account_id = bill_days.account_id and r.first_sequence <= bill_days.last_sequence
    and r.last_sequence >= bill_days.first_sequence) as dropped
from bill_days where day = $1 order by place`;
