// Checks a verifiable statement, or a receipt, offline: node checkStatement.ts bill-keys.json statement.jsonl
import { ok as must } from 'node:assert';
import { createHash, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
type Json = ReturnType<typeof JSON.parse>;
const hex = (text: string | null) => Buffer.from(text ?? '', 'hex');
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
/** A Merkle tree as in RFC 6962: the hash of a leaf, the row of nodes above a row, and the root. */
export const leafHash = (text: string): Buffer => sha256(Buffer.of(0), Buffer.from(text));
export const rowAbove = (row: Buffer[]): Buffer[] =>
  row.flatMap((one, at) => (at % 2 ? [] : row[at + 1] ? [sha256(Buffer.of(1), one, row[at + 1]!)] : [one]));
export const rootOf = (row: Buffer[]): Buffer => (row.length > 1 ? rootOf(rowAbove(row)) : (row[0] ?? sha256()));
function checkProof({ leaf, index, proof }: Json, size: number, root: string): Json {
  let [hash, used] = [leafHash(leaf), 0];
  for (let at = index, width = size; width > 1; at >>= 1, width = (width + 1) >> 1)
    if (at % 2) hash = sha256(Buffer.of(1), hex(proof[used++]), hash);
    else if (at + 1 < width) hash = sha256(Buffer.of(1), hash, hex(proof[used++]));
  must(used === proof.length && hash.equals(hex(root)), 'the proof does not lead to the root');
  return JSON.parse(leaf);
}
/** The statement of a day's root, once it is known to be signed by one of the published keys. */
function checkRoot({ signed, signature }: Json, keys: Json[]): Json {
  const [root, bytes] = [JSON.parse(signed), Buffer.from(signed)];
  const key = keys.find(({ kid, valid_until: end }) => kid === root.key_id && (!end || end.slice(0, 10) > root.date));
  must(key, `no published key ${root.key_id} was valid after ${root.date}`);
  must(verify(null, bytes, { key, format: 'jwk' }, Buffer.from(signature, 'base64')), 'the signature is wrong');
  return { ...root, hash: sha256(bytes).toString('hex') };
}
function checkDay({ day, root }: Json, keys: Json[]): Json {
  const { date, workspaces, root: top } = checkRoot(root, keys);
  must(JSON.parse(day.leaf).date === date, `the root is that of another day, ${date}`);
  return checkProof(day, workspaces, top);
}
function checkReceipt({ day, root, ...entry }: Json, keys: Json[]): void {
  must(root, 'its day is not signed yet');
  const last = checkDay({ day, root }, keys);
  const { account, sequence } = checkProof(entry, last.entries, last.entries_root);
  must(account === last.account && sequence === last.sequence - last.entries + 1 + entry.index, 'it is another entry');
}
function checkEntry(entry: Json, before: Json): Json {
  const { sequence, kind, subject, amount_nanos: amount, balance_nanos: balance } = entry;
  must(sequence === before.sequence + 1, `entry ${before.sequence + 1} should be here: a row is missing or moved`);
  must(BigInt(before.balance_nanos) + BigInt(amount) === BigInt(balance), 'the balance is not the sum of the amounts');
  const own = [sequence, kind, subject, amount, balance];
  const text = (entry.hash_version === 1 ? own : [entry.leg, ...own, entry.key_id ?? '']).join('|');
  must(sha256(hex(before.hash), hex(entry.seal), Buffer.from(text)).equals(hex(entry.hash)), 'the hash is wrong');
  return entry;
}
const stateOf = ({ sequence, balance_nanos: balance, hash }: Json) => `entry ${sequence}, ${balance} nano-USD, ${hash}`;
/** Checks the rows of a statement, or a receipt's single row. Returns the result; throws which row is wrong, and why. */
export function checkBill(rows: string[], keys: Json[]): string {
  let [row, before, last, root]: Json[] = [{}, {}, { sequence: 0, balance_nanos: '0', hash: null }, { hash: null }];
  rows.forEach((line, at) => {
    try {
      [before, row] = [row, JSON.parse(line)];
      const order = `${before.object} ${row.object}`;
      must(!/^end|day (?!ledger.root)|entry ledger.root/.test(order), `${row.object} may not follow ${before.object}`);
      if (row.object === 'receipt') row.entries.forEach((one: Json) => checkReceipt(one, keys));
      else if (row.object === 'statement') last = row.opening ? checkDay(row.opening, keys) : last;
      else if (row.object === 'ledger.entry') last = checkEntry(row, last);
      else if (row.object === 'ledger.root') {
        const next = checkRoot(row, keys);
        if (before.leaf) checkDay({ day: before, root: row }, keys);
        must(!root.hash || next.previous === root.hash, `${next.date} does not follow ${root.date}`);
        root = { ...next, sequence: last.sequence };
      } else {
        const { entries = 0, entries_root: top, ...state } = row.leaf ? JSON.parse(row.leaf) : row;
        must(stateOf(state) === stateOf(last), `it states ${stateOf(state)}; the rows above: ${stateOf(last)}`);
        const found = rootOf(rows.slice(at - entries, at).map(leafHash)).toString('hex');
        must(row.object === 'end' || found === top, `${entries} rows above are not those that were signed`);
      }
    } catch (error) {
      throw new Error(`row ${at + 1}: ${(error as Error).message}`, { cause: error });
    }
  });
  must(/receipt|end/.test(row.object), 'the end is missing');
  return row.object === 'end' ? `OK: ${stateOf(last)}; signed: ${root.sequence ?? 'none'}` : 'OK: the receipt';
}
const [keyText, bill] = import.meta.main ? process.argv.slice(2).map((path) => readFileSync(path, 'utf8')) : [];
if (bill) console.log(checkBill(bill.trimEnd().split('\n'), JSON.parse(keyText!).keys));
