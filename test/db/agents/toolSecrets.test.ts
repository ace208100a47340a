import { afterAll, expect, test } from '@jest/globals';
import { openToolSecrets, resealToolSecrets, rotateToolSecret } from '../../../db/agents/toolSecrets.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { insertAgent } from '../../../db/publishing/publisherAgents.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const by = { keyId: null, requestId: 'req_test' };

const db = await setTestDatabase();
const { workspaceId } = await makeAccount(db);
const rows = db.write(workspaceId);
const agentIds = ['agent_1', 'agent_2'];
for (const agentId of agentIds)
  await insertAgent(rows, { agentId, namespace: 'space', slug: agentId.slice(6), draft: {} });
afterAll(() => db.close());

const boxOf = (keys: string) => openSecretBox(db.everywhere, parseSealingKeys(keys));

async function rotate(agentId = agentIds[0]!): Promise<string> {
  const made = await rotateToolSecret(db.write(workspaceId), agentId, by);
  if (typeof made === 'string') throw new Error(made);
  return made.secret;
}

test('no secret is made before a worker has started, nor for an agent of another workspace', async () => {
  expect(await rotateToolSecret(db.write(workspaceId), agentIds[0]!, by)).toBe('no_worker');
  expect(await rotateToolSecret(db.write('ws_other'), agentIds[0]!, by)).toBe('not_found');
});

test('secrets sign in turn: the newest first, at most five, and none once it has ended', async () => {
  const box = await boxOf(createSealingKey());
  const made: string[] = [];
  for (let count = 0; count < 6; count += 1) made.unshift(await rotate());
  expect(await openToolSecrets(db.everywhere, box, agentIds[0]!)).toEqual(made.slice(0, 5));
  await db.pool.query(
    `update agent_tool_secrets set secrets = (select jsonb_agg(case when one ->> 'expiresAt' is null then one
       else one || '{"expiresAt": "2020-01-01T00:00:00Z"}' end) from jsonb_array_elements(secrets) one)`,
  );
  expect(await openToolSecrets(db.everywhere, box, agentIds[0]!)).toEqual([made[0]]);
  expect(await openToolSecrets(db.everywhere, box, 'agent_none')).toEqual([]);
});

test('secrets are resealed for a new key, and a copy in another row cannot be opened', async () => {
  const [before, after] = [createSealingKey(), createSealingKey()];
  await boxOf(before);
  const secret = await rotate(agentIds[1]);
  await resealToolSecrets(db.everywhere, await boxOf(`${after},${before}`));
  const box = await boxOf(after);
  expect((await openToolSecrets(db.everywhere, box, agentIds[1]!))[0]).toBe(secret);
  await db.pool.query(
    `update agent_tool_secrets c set secrets = o.secrets from agent_tool_secrets o where c.agent_id = $1 and o.agent_id = $2`,
    agentIds,
  );
  await expect(openToolSecrets(db.everywhere, box, agentIds[0]!)).rejects.toThrow();
});
