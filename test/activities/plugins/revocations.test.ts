import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { afterAll, expect, test } from '@jest/globals';
import { createUpkeep, type UpkeepDependencies } from '../../../activities/upkeep.ts';
import { TEST_ISSUER } from '../../support/issuer.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('an upkeep has the tokens revoked of a plugin that was disconnected while Temporal was down', async () => {
  await db.pool.query(
    `insert into plugin_sign_ins (workspace_id, plugin_id, plugin_version, url, issuer, state, sealed, user_id)
     select 'ws_' || state, 'notes', '1', 'https://notes.example', 'https://notes.example', state, 'sealed', 'user_ada'
     from unnest(array['connected', 'ended', 'revoking']) state`,
  );
  const revoked: object[] = [];
  const services = {
    db,
    workflows: {
      stateOf: async () => 'open',
      listTerminated: async () => [],
      pruneSweeps: async () => 0,
      revokeSignIn: async (place: object) => void revoked.push(place),
    },
    mailer: { sendMail: async () => {} },
    issuer: TEST_ISSUER,
    unbilledKeptDays: 30,
    auditExports: {},
    payments: null,
    isStopping: () => false,
  };
  const context = { heartbeat: () => {}, log: { error: () => {}, warn: () => {} } } as unknown as Context;
  const { upkeep } = createUpkeep(services as unknown as UpkeepDependencies);
  const { signInsRevoked } = await asyncLocalStorage.run(context, upkeep);
  expect(revoked).toEqual([expect.objectContaining({ workspaceId: 'ws_revoking', pluginId: 'notes' })]);
  expect(signInsRevoked).toBe(1);
});
