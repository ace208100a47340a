import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { eraseWorkspace, listDueErasures } from '../../../db/erasure/eraseWorkspace.ts';
import { orderErasure } from '../../../db/erasure/erasures.ts';
import { FATES } from '../../../db/erasure/fates.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { openTestWorkspace } from '../../../db/testMode/testMode.ts';
import { makeAccount } from '../../support/account.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { columnsOf, isMarked, MARKER, rowFor, type Column } from './rowFor.ts';

let db: Awaited<ReturnType<typeof setTestDatabase>>;
let owner: Client;
let columns: Map<string, Column[]>;
let mine: string;
let other: string;
let testKeyId: string;

beforeAll(async () => {
  db = await setTestDatabase();
  owner = new Client({ connectionString: ownerUrlOf(db.url) });
  await owner.connect();
  columns = await columnsOf(owner);
  [mine, other] = [(await makeAccount(db)).workspaceId, (await makeAccount(db)).workspaceId];
  const workspaceId = await openTestWorkspace(db.everywhere, mine);
  testKeyId = (await createKey(db.everywhere, { workspaceId, name: MARKER, scopes: [] })).id;
  await owner.query('set session_replication_role = replica');
  for (const workspaceId of [mine, other]) await fill(workspaceId);
  await orderErasure(db.everywhere, { workspaceId: mine, by: { keyId: null, requestId: 'req_test' } });
  await owner.query('update erasures set due_at = now()');
  const [due] = await listDueErasures(db);
  // Rows of files name objects in a store.
  const objects = { ...noStore, remove: async () => {} };
  const stored = { ...db, everywhere: { ...db.everywhere, objects } };
  expect(
    await eraseWorkspace(stored, due!, {
      deleteHistories: async () => 0,
      endPayments: async () => {},
      onProgress: () => {},
    }),
  ).toBe(true);
});
afterAll(async () => {
  await owner.end();
  await db.close();
});

const noStore = {
  takesNew: true,
  answers: async () => true,
  put: () => Promise.reject(new Error('no store')),
  read: () => {
    throw new Error('no store');
  },
};

/** A row in every table, with a mark in every column that may contain personal text. */
async function fill(workspaceId: string): Promise<void> {
  for (const [table, own] of columns) {
    const row = rowFor(table, own, workspaceId);
    const names = Object.keys(row);
    const places = names.map((_, at) => `$${at + 1}`).join(', ');
    const list = names.map((name) => `"${name}"`).join(', ');
    if (table === 'accounts' || table === 'erasures') continue;
    await owner.query(`insert into ${table} (${list}) values (${places})`, Object.values(row));
  }
  await owner.query(`update workspaces set name = $1 where id = $2`, [MARKER, workspaceId]);
  const person = [`user ${workspaceId}`, MARKER, `${MARKER.replaceAll(' ', '.')}.${workspaceId}@example.com`];
  await owner.query('insert into users (id, name, email) values ($1, $2, $3)', person);
}

const rowsOf = async (table: string, workspaceId: string): Promise<string[]> => {
  const column = table === 'workspaces' ? 'id' : 'workspace_id';
  const found = await owner.query<{ row: string }>(
    `select to_jsonb(t)::text as row from ${table} t where ${column} = $1`,
    [workspaceId],
  );
  return found.rows.map(({ row }) => row);
};

describe('an erasure', () => {
  test('has a fate for every table of workspaces, and for no other', () => {
    expect(Object.keys(FATES).toSorted()).toEqual([...columns.keys(), 'workspaces'].toSorted());
  });

  test('leaves no row in the tables that it erases', async () => {
    const left: string[] = [];
    for (const [table, { fate }] of Object.entries(FATES))
      if (fate === 'erased' && (await rowsOf(table, mine)).length > 0) left.push(table);
    expect(left).toEqual([]);
  });

  test('leaves nothing that people wrote in the tables that it keeps', async () => {
    const left: string[] = [];
    for (const [table, { fate }] of Object.entries(FATES)) {
      if (fate === 'erased' || table === 'answer_parts') continue;
      const rows = await rowsOf(table, mine);
      expect({ table, rows: rows.length > 0 }).toEqual({ table, rows: true });
      if (rows.some(isMarked)) left.push(table);
    }
    expect(left).toEqual([]);
    const people = await owner.query('select name, email from users where id = $1', [`user ${mine}`]);
    expect(people.rows).toEqual([{ name: 'Erased person', email: `user ${mine}@erased.invalid` }]);
  });

  test('reaches its test workspace', async () => {
    const { rows } = await owner.query(
      `select k.name as key, k.revoked_at is null as is_live, w.name from api_keys k join workspaces w on w.id = k.workspace_id where k.id = $1`,
      [testKeyId],
    );
    expect(rows).toEqual([{ key: 'erased', is_live: false, name: 'Erased workspace' }]);
  });

  test('changes nothing of another workspace', async () => {
    for (const [table, own] of columns) {
      if (table === 'accounts' || table === 'erasures') continue;
      const rows = await rowsOf(table, other);
      expect({ table, rows: rows.length > 0 }).toEqual({ table, rows: true });
      const expected = Object.values(rowFor(table, own, other)).some((value) => isMarked(String(value)));
      expect({ table, isMarked: rows.some(isMarked) }).toEqual({ table, isMarked: expected });
    }
  });
});
