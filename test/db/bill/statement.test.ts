import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { signDays } from '../../../db/bill/signDays.ts';
import { listBillKeys, rotateBillKey, type PublishedKey } from '../../../db/bill/signingKeys.ts';
import { readStatementLines } from '../../../db/bill/statementLines.ts';
import { BillError, Statements } from '../../../clients/typescript/src/index.ts';
import { daysFromNow, sealingKeys, spreadOverDays } from '../../support/billDays.ts';
import { setTestDatabase } from '../../support/database.ts';
import { hasPython, installVenv, runPython } from '../../clients/pythonVenv.ts';
import { testWithPython } from '../../clients/withPython.ts';
import { makeFolder } from '../../support/folder.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';

// Two days of one month that are over.
const daysAgo = daysFromNow(0).getUTCDate() === 2 ? 3 : 2;
const month = daysFromNow(-daysAgo).toISOString().slice(0, 7);
const ROOT = join(import.meta.dirname, '../../..');
let python: string;

// Two days of one account among four; the first day is signed. The key was replaced afterwards.
const folder = await makeFolder();
if (hasPython) python = await installVenv('venv-sdk', 'sdk-requirements.txt');
const db = await setTestDatabase();
const { spender } = await makeSpender(db, {});
for (let at = 0; at < 330; at += 1) {
  const hold = await db.ledger.hold(spender, 5_000n);
  await db.ledger.settle(hold, billOf(spender, BigInt(at % 7) * 300n + 1n));
}
for (const creditUsd of ['1', '2', '3']) await makeSpender(db, { creditUsd });
await spreadOverDays(db.url, { days: daysAgo, perDay: 300 });
await signDays(db.everywhere, sealingKeys, { now: daysFromNow(1 - daysAgo) });
await rotateBillKey(db.everywhere, sealingKeys);
const keys = await listBillKeys(db.everywhere);
const lines: string[] = [];
for await (const line of readStatementLines(db.everywhere, spender, month)) lines.push(line);

afterAll(async () => {
  await db.close();
  await folder.remove();
});

type Change = (rows: string[], at: (object: string, nth?: number) => number, keys: PublishedKey[]) => void;

const edit = (rows: string[], at: number, name: string, by: (value: string) => string): void => {
  const row = JSON.parse(rows[at]!) as Record<string, unknown>;
  rows[at] = JSON.stringify({ ...row, [name]: by(row[name] as string) });
};
const nextDigit = (text: string) => text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
const otherHex = (text: string) => (text.startsWith('0') ? '1' : '0') + text.slice(1);
const otherSignature = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
const swap = (rows: string[], one: number, other: number) => {
  [rows[one], rows[other]] = [rows[other]!, rows[one]!];
};

/** The rows of a signed day, with another row in the place of what proves that the account has this day. */
const unproven = (rows: string[], day: number, row: object) => {
  const { sequence, balance_nanos, hash } = JSON.parse(rows[day - 1]!) as Record<string, unknown>;
  const entries_root = createHash('sha256').digest('hex');
  rows[day] = JSON.stringify({ ...row, sequence, balance_nanos, hash, entries: 0, entries_root });
};

const CHANGES: Record<string, Change> = {
  'an amount': (rows, at) => edit(rows, at('ledger.entry', 100), 'amount_nanos', nextDigit),
  'a balance': (rows, at) => edit(rows, at('ledger.entry', 100), 'balance_nanos', nextDigit),
  'a hash': (rows, at) => edit(rows, at('ledger.entry', 100), 'hash', otherHex),
  'a seal': (rows, at) => edit(rows, at('ledger.entry', 100), 'seal', otherHex),
  'a subject': (rows, at) => edit(rows, at('ledger.entry', 100), 'subject', (id) => `${id}x`),
  'a time': (rows, at) => edit(rows, at('ledger.entry', 100), 'created_at', nextDigit),
  'what was consumed': (rows, at) => edit(rows, at('ledger.entry', 100), 'consumed', () => 'nothing'),
  'the first entry removed': (rows, at) => void rows.splice(at('ledger.entry'), 1),
  'an entry removed': (rows, at) => void rows.splice(at('ledger.entry', 100), 1),
  'the last entry removed': (rows) => void rows.splice(-2, 1),
  'an entry doubled': (rows, at) => void rows.splice(at('ledger.entry', 100), 0, rows[at('ledger.entry', 100)]!),
  'two entries swapped': (rows, at) => swap(rows, at('ledger.entry', 100), at('ledger.entry', 101)),
  'the day removed': (rows, at) => void rows.splice(at('ledger.day'), 1),
  'the day doubled': (rows, at) => void rows.splice(at('ledger.day'), 0, rows[at('ledger.day')]!),
  'the day changed': (rows, at) =>
    edit(rows, at('ledger.day'), 'leaf', (leaf) => leaf.replace(/"salt":"./, '"salt":"x')),
  'the proof changed': (rows, at) => edit(rows, at('ledger.day'), 'index', (index) => `${Number(index) ^ 1}`),
  'the signature': (rows, at) => edit(rows, at('ledger.root'), 'signature', otherSignature),
  'the root': (rows, at) =>
    edit(rows, at('ledger.root'), 'signed', (text) => text.replace('"workspaces":4', '"workspaces":5')),
  'the root doubled': (rows, at) => void rows.splice(at('ledger.root'), 0, rows[at('ledger.root')]!),
  'the key swapped': (_rows, _at, published) => void (published[0]!.x = published[1]!.x),
  'the key replaced too early': (_rows, _at, published) => void (published[0]!.valid_until = '2026-01-01T00:00:00Z'),
  'the key unknown': (_rows, _at, published) => void published.shift(),
  'the closing balance': (rows, at) => edit(rows, at('end'), 'balance_nanos', nextDigit),
  'the end removed': (rows) => void rows.pop(),
  'the beginning removed': (rows) => void rows.shift(),
  'a day without its proof': (rows, at) => unproven(rows, at('ledger.day'), { object: 'ledger.day' }),
  'an unknown row for the day': (rows, at) => unproven(rows, at('ledger.day'), { object: 'note' }),
  'a second beginning for the day': (rows, at) =>
    unproven(rows, at('ledger.day'), { object: 'statement', opening: null }),
  'a receipt for the day': (rows, at) => unproven(rows, at('ledger.day'), { object: 'receipt', entries: [] }),
  'a receipt for the end': (rows) => void rows.splice(-1, 1, '{"object":"receipt","entries":[]}'),
  'an empty receipt for everything': (rows) => void rows.splice(0, rows.length, '{"object":"receipt","entries":[]}'),
};

function changed(change: Change): { rows: string[]; published: PublishedKey[] } {
  const [rows, published] = [[...lines], structuredClone(keys)];
  const at = (object: string, nth = 0) =>
    rows.flatMap((row, place) => (row.startsWith(`{"object":"${object}"`) ? [place] : []))[nth]!;
  change(rows, at, published);
  return { rows, published };
}

/** What the package for Python says of the statement and of each change, by its name. In one process: each start takes long. */
async function checkWithPython(): Promise<Record<string, string>> {
  const files: string[] = [];
  for (const [nth, change] of [() => {}, ...Object.values(CHANGES)].entries()) {
    const { rows, published } = changed(change);
    const [keyFile, bill] = [join(folder.path, `keys-${nth}.json`), join(folder.path, `bill-${nth}`)];
    await writeFile(keyFile, JSON.stringify({ keys: published }));
    await writeFile(bill, `${rows.join('\n')}\n`);
    files.push(keyFile, bill);
  }
  const { status, output } = await runPython(
    python,
    [join(ROOT, 'test/clients/sdk/python/verify_statement.py'), ...files],
    {
      PYTHONPATH: join(ROOT, 'clients/python/src'),
    },
  );
  expect(status).toBe(0);
  const said = output.trimEnd().split('\n');
  expect(said).toHaveLength(files.length / 2);
  return Object.fromEntries(['unchanged', ...Object.keys(CHANGES)].map((name, nth) => [name, said[nth]!]));
}

let checked: Promise<Record<string, string>> | undefined;
const saidByPython = async (name: string) => (await (checked ??= checkWithPython()))[name];

test('a whole statement is found right, up to its last entry', async () => {
  const entries = lines.filter((line) => line.startsWith('{"object":"ledger.entry"')).length;
  const proven = await new Statements().verify(`${lines.join('\n')}\n`, { keys });
  expect(proven).toMatchObject({ sequence: entries, signedSequence: 300 });
});

testWithPython('the package for Python finds it right, too', async () => {
  expect(await saidByPython('unchanged')).toMatch(/^valid: .*signed_sequence=300\)$/);
});

describe.each(Object.keys(CHANGES))('a statement with one change, %s,', (name) => {
  test('is refused, with the row', async () => {
    const { rows, published } = changed(CHANGES[name]!);
    const verified = new Statements().verify(rows, published);
    await expect(verified).rejects.toBeInstanceOf(BillError);
    await expect(verified).rejects.toThrow(/^row \d+: |^the end is missing/);
  });

  testWithPython('is refused by the package for Python', async () => {
    expect(await saidByPython(name)).toMatch(/^refused: row \d+: /);
  });
});
