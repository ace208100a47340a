import { LedgerlineError } from './errors.ts';
import type { BillKeys, Receipt } from './types.ts';
import { ofBase64 } from './webhooks.ts';

type Json = ReturnType<typeof JSON.parse>;
type Bytes = Uint8Array<ArrayBuffer>;
/** The keys of `/.well-known/ledgerline-bill-keys.json`, kept from before. */
type Keys = BillKeys | BillKeys['keys'];

/** A bill does not prove what it says: the message names the row. */
export class BillError extends LedgerlineError {}

/** An entry of the ledger, as its signed leaf has it: JSON that also covers what the call or run consumed. */
export interface ProvenEntry {
  sequence: number;
  kind: string;
  /** The id of the request or run. */
  subject: string;
  /** Billionths of a US dollar. */
  amount_nanos: string;
  balance_nanos: string;
  created_at: string;
  consumed: unknown;
  hash: string;
}

/** What a statement proves: the state after its last entry, and the last entry that a signed root covers. */
export interface ProvenStatement {
  sequence: number;
  balance_nanos: string;
  hash: string | null;
  signedSequence: number | null;
}

/** Checks receipts offline. */
export class Receipts {
  /** The entries that a receipt proves, by the published keys. Throws `BillError`. */
  async verify(receipt: Receipt, keys: Keys): Promise<ProvenEntry[]> {
    const listed = listOf(keys);
    try {
      must(receipt.entries.length > 0, 'the receipt has no entry yet');
      return await Promise.all(receipt.entries.map((one) => checkReceipt(one, listed)));
    } catch (error) {
      throw new BillError((error as Error).message, { cause: error });
    }
  }
}

/** Checks statements (`/platform/v1/billing/statement?format=jsonl`) offline. */
export class Statements {
  /** Adds a statement up again, by the published keys. Throws `BillError` for the first row that was changed, removed, doubled or moved. */
  async verify(statement: string | string[], keys: Keys): Promise<ProvenStatement> {
    const rows = typeof statement === 'string' ? statement.trimEnd().split('\n') : statement;
    const { last, root } = await checkBill(rows, keys);
    const { sequence, balance_nanos, hash } = last;
    return { sequence, balance_nanos, hash, signedSequence: root.sequence ?? null };
  }
}

const listOf = (keys: Keys): BillKeys['keys'] => (Array.isArray(keys) ? keys : keys.keys);

/** What may follow each kind of row. A signed root must not vouch for rows above that no proof leads to. */
const FOLLOWERS: Record<string, string[]> = {
  begin: ['statement'],
  statement: ['ledger.entry', 'ledger.day', 'ledger.root', 'end'],
  'ledger.entry': ['ledger.entry', 'ledger.day', 'end'],
  'ledger.day': ['ledger.root'],
  'ledger.root': ['ledger.entry', 'ledger.day', 'ledger.root', 'end'],
  end: [],
};

async function checkBill(rows: string[], given: Keys): Promise<{ last: Json; root: Json }> {
  const keys = listOf(given);
  let [row, before]: Json[] = [{ object: 'begin' }, {}];
  let [last, root]: Json[] = [{ sequence: 0, balance_nanos: '0', hash: null }, { hash: null }];
  for (const [at, line] of rows.entries()) {
    try {
      [before, row] = [row, JSON.parse(line)];
      must(FOLLOWERS[before.object]!.includes(row.object), `${row.object} may not follow ${before.object}`);
      if (row.object === 'statement') last = row.opening ? await checkDay(row.opening, keys) : last;
      else if (row.object === 'ledger.entry') last = await checkEntry(row, last);
      else if (row.object === 'ledger.root') {
        const next = await checkRoot(row, keys);
        if (before.object === 'ledger.day') await checkDay({ day: before, root: row }, keys);
        must(!root.hash || next.previous === root.hash, `${next.date} does not follow ${root.date}`);
        root = { ...next, sequence: last.sequence };
      } else {
        const { entries = 0, entries_root: top, ...state } = row.object === 'end' ? row : JSON.parse(row.leaf);
        must(stateOf(state) === stateOf(last), `it states ${stateOf(state)}; the rows above: ${stateOf(last)}`);
        const found = toHex(await rootOf(await Promise.all(rows.slice(at - entries, at).map(leafHash))));
        must(row.object === 'end' || found === top, `${entries} rows above are not those that were signed`);
      }
    } catch (error) {
      throw new BillError(`row ${at + 1}: ${(error as Error).message}`, { cause: error });
    }
  }
  must(row.object === 'end', 'the end is missing');
  return { last, root };
}

function must(isRight: unknown, otherwise: string): asserts isRight {
  if (!isRight) throw new BillError(otherwise);
}

const stateOf = ({ sequence, balance_nanos: balance, hash }: Json) => `entry ${sequence}, ${balance} nano-USD, ${hash}`;
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
function ofHex(text: string | null): Bytes {
  must(text === null || /^(?:[0-9a-f]{2})*$/.test(text), 'a hash is malformed');
  return Uint8Array.from(text?.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
const toHex = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (...parts: Bytes[]): Promise<Bytes> => {
  const bytes = new Uint8Array(parts.flatMap((part) => [...part]));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
};

// A Merkle tree as in RFC 6962: the hash of a leaf, of two nodes, and of the root above a row.
const leafHash = (text: string) => sha256(Uint8Array.of(0), utf8(text));
const nodeHash = (left: Bytes, right: Bytes) => sha256(Uint8Array.of(1), left, right);
async function rootOf(row: Bytes[]): Promise<Bytes> {
  if (row.length < 2) return row[0] ?? sha256();
  const pairs = row.flatMap((one, at) => (at % 2 ? [] : [[one, row[at + 1]] as const]));
  return rootOf(await Promise.all(pairs.map(async ([one, next]) => (next ? nodeHash(one, next) : one))));
}

async function checkProof({ leaf, index, proof }: Json, size: number, root: string): Promise<Json> {
  must(typeof leaf === 'string' && Number.isSafeInteger(index) && index >= 0 && index < size, 'a proof is malformed');
  let [hash, used] = [await leafHash(leaf), 0];
  for (let at = index, width = size; width > 1; at >>= 1, width = (width + 1) >> 1)
    if (at % 2) hash = await nodeHash(ofHex(proof[used++]), hash);
    else if (at + 1 < width) hash = await nodeHash(hash, ofHex(proof[used++]));
  must(used === proof.length && toHex(hash) === root, 'the proof does not lead to the root');
  return JSON.parse(leaf);
}

// 64 bytes in base64, and whole billionths of a US dollar, as the service writes them.
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;
const NANOS = /^(?:0|-?[1-9]\d*)$/;

/** The statement of a day's root, once it is known to be signed by one of the published keys. */
async function checkRoot({ signed, signature }: Json, keys: BillKeys['keys']): Promise<Json> {
  must(typeof signed === 'string' && SIGNATURE.test(signature), 'a signature is malformed');
  const [root, bytes] = [JSON.parse(signed), utf8(signed)];
  const found = keys.find(({ kid, valid_until: end }) => kid === root.key_id && (!end || end.slice(0, 10) > root.date));
  must(found, `no published key ${root.key_id} was valid after ${root.date}`);
  const jwk = { kty: found.kty, crv: found.crv, x: found.x };
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
  must(await crypto.subtle.verify('Ed25519', key, ofBase64(signature), bytes), 'the signature is wrong');
  return { ...root, hash: toHex(await sha256(bytes)) };
}

async function checkDay({ day, root }: Json, keys: BillKeys['keys']): Promise<Json> {
  const { date, workspaces, root: top } = await checkRoot(root, keys);
  must(JSON.parse(day.leaf).date === date, `the root is that of another day, ${date}`);
  return checkProof(day, workspaces, top);
}

async function checkReceipt({ day, root, ...entry }: Json, keys: BillKeys['keys']): Promise<ProvenEntry> {
  must(root, 'its day is not signed yet');
  const last = await checkDay({ day, root }, keys);
  const found = await checkProof(entry, last.entries, last.entries_root);
  const isInPlace = found.account === last.account && found.sequence === last.sequence - last.entries + 1 + entry.index;
  must(isInPlace && found.hash === entry.entry.hash, 'it is another entry');
  return found;
}

async function checkEntry(entry: Json, before: Json): Promise<Json> {
  const { sequence, kind, subject, amount_nanos: amount, balance_nanos: balance } = entry;
  must(sequence === before.sequence + 1, `entry ${before.sequence + 1} should be here: a row is missing or moved`);
  must(NANOS.test(amount) && NANOS.test(balance), 'an amount is malformed');
  must(BigInt(before.balance_nanos) + BigInt(amount) === BigInt(balance), 'the balance is not the sum of the amounts');
  const own = [sequence, kind, subject, amount, balance];
  const text = (entry.hash_version === 1 ? own : [entry.leg, ...own, entry.key_id ?? '']).join('|');
  const hash = await sha256(ofHex(before.hash), ofHex(entry.seal), utf8(text));
  must(toHex(hash) === entry.hash, 'the hash is wrong');
  return entry;
}
