import { afterAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';
import { readText } from '../../support/sources.ts';

interface Statement {
  role: string;
  text: string;
}

const database = await makeDatabase();
const owner = new Client({ connectionString: ownerUrlOf(database.url) });
await owner.connect();
const statements = JSON.parse(await readFile(new URL('lastRelease.json', import.meta.url), 'utf8')) as Statement[];
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** The last release's statements that the present schema refuses after `change`, which is rolled back. */
async function refusedAfter(change?: string): Promise<string[]> {
  const refused: string[] = [];
  await owner.query('begin');
  if (change) await owner.query(change);
  for (const { role, text } of statements) {
    await owner.query(`savepoint statement; set local role ${role}; set local app.workspace_id = 'ws'`);
    // Plans the statement, and checks the role's rights, without values for its parameters.
    await owner
      .query(`explain (generic_plan) ${text}`)
      .catch(({ message }: Error) => refused.push(`${message}: ${text}`));
    await owner.query('rollback to savepoint statement');
  }
  await owner.query('rollback');
  return refused;
}

test('every statement of the last release works on the present schema, with the rights of its role', async () => {
  expect(await refusedAfter()).toEqual([]);
  expect(statements.length).toBeGreaterThan(400);
});

test('a renamed column, a withdrawn right and a changed function would be noticed', async () => {
  for (const change of [
    'alter table runs rename column session_id to conversation_id',
    'revoke update on runs from ledgerline_system',
    'revoke select on session_entries from ledgerline_tenant',
    'drop function ledger_room cascade',
  ])
    expect({ change, isRefused: (await refusedAfter(change)).length > 0 }).toEqual({ change, isRefused: true });
});

// An operator pastes them at the worst of times.
test('every statement of the runbooks works on the present schema', async () => {
  const page = readText('docs/operate/runbooks/alerts.md');
  const quoted = [...page.matchAll(/`((?:select|update)\s[^`]+)`/g)].map(([, text]) => text!.replaceAll('…', "'x'"));
  expect(quoted.length).toBeGreaterThan(10);
  for (const text of quoted) {
    await owner.query(`explain (generic_plan) ${text}`).catch(({ message }: Error) => {
      throw new Error(`${message}: ${text}`);
    });
  }
});
