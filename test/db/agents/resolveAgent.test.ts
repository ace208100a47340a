import { afterAll, expect, test } from '@jest/globals';
import { resolveAgent } from '../../../db/agents/publicAgents.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase({ spends: false });
await seedAgents(db.everywhere);
await seedAgents(db.everywhere);
afterAll(() => db.close());

const wanted = { agent: 'ledgerline/analyst', version: null, visibility: 'public', workspaceId: 'ws_any' } as const;

test("the platform's own agents are published once, for all workspaces", async () => {
  const { rows } = await db.pool.query(`select slug from agents order by slug`);
  expect(rows.map(({ slug }) => slug)).toEqual(['analyst', 'researcher', 'writer']);
  const found = await resolveAgent(db.everywhere, wanted);
  expect(found).toMatchObject({ agent: 'ledgerline/analyst', agentName: 'File analyst', suspended: false });
  expect(found!.configuration.tools).toContain('run_code');
});

test('finds a version by its label and by its id', async () => {
  const live = (await resolveAgent(db.everywhere, wanted))!;
  expect(await resolveAgent(db.everywhere, { ...wanted, version: live.version })).toEqual(live);
  expect(await resolveAgent(db.everywhere, { ...wanted, version: live.versionId })).toEqual(live);
  expect(await resolveAgent(db.everywhere, { ...wanted, version: '1999-01-01' })).toBeUndefined();
});

test('does not find a version that is not deployed for the caller', async () => {
  expect(await resolveAgent(db.everywhere, { ...wanted, agent: 'ledgerline/nobody' })).toBeUndefined();
  expect(await resolveAgent(db.everywhere, { ...wanted, visibility: 'private' })).toBeUndefined();
});
