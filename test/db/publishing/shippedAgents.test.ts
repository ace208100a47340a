import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { HOUSE_AGENTS, seedAgents, type HouseAgent } from '../../../db/publishing/houseAgents.ts';
import { moveDeployment } from '../../../db/publishing/moveDeployment.ts';
import { findPublicAgent, resolveAgent } from '../../../db/agents/publicAgents.ts';
import { updateDraft } from '../../../db/publishing/publisherAgents.ts';
import { advanceRollout } from '../../../db/publishing/rollout/advanceRollout.ts';
import { bootstrap } from '../../../db/bootstrap.ts';
import { newId } from '../../../db/ids.ts';
import { setTestDatabase } from '../../support/database.ts';

let db: Awaited<ReturnType<typeof setTestDatabase>>;
beforeEach(async () => {
  db = await setTestDatabase({ spends: false });
  await seed(EARLIER);
});
afterEach(() => db.close());

const [writer, analyst] = HOUSE_AGENTS as [HouseAgent, HouseAgent];
const EARLIER: HouseAgent[] = [writer, { ...analyst, tools: analyst.tools.filter((tool) => tool !== 'draw_chart') }];
const DEARER: HouseAgent = { ...analyst, pricing: { ...analyst.pricing, maximum_cost_usd: 5 } };

const seed = (agents?: HouseAgent[]) => seedAgents(db.everywhere, agents);
const shown = () => findPublicAgent(db.everywhere, { namespace: 'ledgerline', slug: 'analyst' });
const resolve = (version: string | null = null) =>
  resolveAgent(db.everywhere, { agent: 'ledgerline/analyst', version, visibility: 'public', workspaceId: 'ws_any' });

async function versionsOf(slug: string): Promise<number> {
  const text = 'select count(*)::int as count from agent_versions v join agents a on a.id = v.agent_id where slug = $1';
  return (await db.pool.query(text, [slug])).rows[0].count;
}

test('a changed definition is published as the next version, once; the former one can still be named', async () => {
  const former = (await resolve())!;
  expect(former.configuration.tools).not.toContain('draw_chart');
  await seed();
  await seed();
  const live = (await resolve())!;
  expect(live.configuration).toEqual(expect.objectContaining({ tools: analyst.tools, name: 'File analyst' }));
  expect(await resolve(former.version)).toEqual(former);
  expect([await versionsOf('analyst'), await versionsOf('writer'), await versionsOf('researcher')]).toEqual([2, 1, 1]);
  const { rows } = await db.pool.query('select number, source_revision from agent_versions where id = $1', [
    live.versionId,
  ]);
  expect(rows).toEqual([{ number: 2, source_revision: 2 }]);
});

test('a process of an earlier release does not take the change back', async () => {
  await seed();
  await seed(EARLIER);
  expect((await resolve())!.configuration.tools).toContain('draw_chart');
  expect(await versionsOf('analyst')).toBe(2);
});

test('processes that start at once publish it once', async () => {
  const start = () => bootstrap(db.everywhere, { secret: undefined, creditNanos: 0n });
  await Promise.all([start(), start(), start()]);
  expect(await versionsOf('analyst')).toBe(2);
});

test('an agent whose draft was edited stays as it is', async () => {
  const { agentId, publisherWorkspaceId } = (await resolve())!;
  const change = { agentId, revision: 1, draft: { description: 'Our own analyst.' } };
  await updateDraft(db.write(publisherWorkspaceId), change);
  await seed();
  expect([await versionsOf('analyst'), await versionsOf('researcher')]).toEqual([1, 1]);
});

test('a suspended agent stays suspended, until it is reinstated', async () => {
  const { agentId } = (await resolve())!;
  const { rows } = await db.pool.query(`select id from deployments where agent_id = $1`, [agentId]);
  const move = (name: 'suspend' | 'reinstate') => {
    const by = { operatorKeyId: 'key_o', requestId: newId('req') };
    return moveDeployment(db.everywhere, { deploymentId: rows[0].id, move: name, feedback: [], by });
  };
  await move('suspend');
  await seed();
  expect(await resolve()).toMatchObject({ suspended: true });
  expect(await versionsOf('analyst')).toBe(1);
  await move('reinstate');
  await seed();
  expect((await resolve())!.configuration.tools).toContain('draw_chart');
});

test('a dearer definition waits for its notice', async () => {
  const former = (await resolve())!;
  await seed([DEARER]);
  expect(await resolve()).toEqual(former);
  const { upcoming } = (await shown())!;
  expect(upcoming!.configuration.pricing.maximum_cost_usd).toBe(5);
  // The next definition is published after the notice period.
  await seed();
  expect(await versionsOf('analyst')).toBe(2);
  const { rows } = await db.pool.query(
    `update deployments set effective_at = now() where version_id = $1 returning id`,
    [upcoming!.versionId],
  );
  expect(await advanceRollout(db.everywhere, { deploymentId: rows[0].id })).toEqual({ waitMs: null });
  expect((await resolve())!.versionId).toBe(upcoming!.versionId);
  await seed();
  expect((await resolve())!.configuration.pricing.maximum_cost_usd).toBe(0.5);
});
