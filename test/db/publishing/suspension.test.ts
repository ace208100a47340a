import { afterAll, expect, test } from '@jest/globals';
import { resolveAgent } from '../../../db/agents/publicAgents.ts';
import { rollBack } from '../../../db/publishing/moveDeployment.ts';
import { recordBrokenChecks } from '../../../db/publishing/review/submission.ts';
import { newId } from '../../../db/ids.ts';
import { publisher, setPublishingStage, SUBMISSIONS_MAX } from './publishingStage.ts';

const stage = await setPublishingStage();
const db = stage.db;
afterAll(() => stage.close());

const makeAgent: typeof stage.makeAgent = (...made) => stage.makeAgent(...made);
const move: typeof stage.move = (...order) => stage.move(...order);

test('a suspended agent is returned as suspended, and a rollback does not reinstate it', async () => {
  const { name, submitted, workspaceId, agentId } = await makeAgent();
  const id = await submitted();
  await move(id, 'approve');
  await move(id, 'suspend');
  const found = await resolveAgent(db.everywhere, { agent: name, version: null, visibility: 'public', workspaceId });
  expect(found!.suspended).toBe(true);
  const { versionId } = found!;
  const back = await rollBack(db.write(workspaceId), {
    agentId,
    versionId,
    deploymentId: newId('dep'),
    by: publisher,
  });
  expect(back).toEqual({ outcome: 'version_suspended' });
});

test('with the public version all versions of an agent are suspended, also for runs that name a former one', async () => {
  const { name, submitted, workspaceId } = await makeAgent();
  const resolve = (version: string | null) =>
    resolveAgent(db.everywhere, { agent: name, version, visibility: 'public', workspaceId });
  await move(await submitted(), 'approve');
  const { versionId: former } = (await resolve(null))!;
  const live = await submitted();
  await move(live, 'approve');
  expect((await resolve(former))!.suspended).toBe(false);
  await move(live, 'suspend');
  expect((await resolve(former))!.suspended).toBe(true);
  await move(live, 'reinstate');
  expect((await resolve(former))!.suspended).toBe(false);
});

test('a suspended version stays suspended when another version replaces it, until it is reinstated', async () => {
  const { name, submitted, workspaceId, agentId } = await makeAgent();
  const resolve = (version: string | null) =>
    resolveAgent(db.everywhere, { agent: name, version, visibility: 'public', workspaceId });
  const bad = await submitted();
  await move(bad, 'approve');
  const { versionId } = (await resolve(null))!;
  await move(bad, 'suspend');
  await move(await submitted(), 'approve');
  expect((await resolve(null))!.suspended).toBe(false);
  // A run pinned to it is also refused.
  expect((await resolve(versionId))!.suspended).toBe(true);
  const back = () => rollBack(db.write(workspaceId), { agentId, versionId, deploymentId: newId('dep'), by: publisher });
  expect(await back()).toEqual({ outcome: 'version_suspended' });
  expect((await resolve(null))!.versionId).not.toBe(versionId);
  expect(await move(bad, 'reinstate')).toEqual({ outcome: 'moved', status: 'superseded' });
  expect(await back()).toMatchObject({ outcome: 'deployed' });
  expect(await resolve(null)).toMatchObject({ versionId, suspended: false });
});

test('a workspace has a daily limit of submissions over all its namespaces; private deployments do not count', async () => {
  const first = await makeAgent();
  const owner = { workspaceId: first.workspaceId, namespace: first.namespace };
  const elsewhere = { ...owner, namespace: `${first.namespace}-two` };
  const places = Array.from({ length: SUBMISSIONS_MAX }, (_, at) => (at % 2 === 0 ? owner : elsewhere));
  const agents = await Promise.all(places.map((place) => makeAgent({}, place)));
  const outcomes = await Promise.all([first, ...agents].map(async ({ submit }) => (await submit()).outcome));
  expect(outcomes.toSorted()).toEqual([...Array<string>(SUBMISSIONS_MAX).fill('submitted'), 'too_many']);
  expect((await first.submit({ visibility: 'private' })).outcome).toBe('submitted');
  const other = await makeAgent();
  expect((await other.submit()).outcome).toBe('submitted');
});

test('checks that could not be finished are a finding of the submission, once, while it waits', async () => {
  const { submitted } = await makeAgent();
  const deploymentId = await submitted();
  for (let told = 0; told < 2; told += 1) await recordBrokenChecks(db.everywhere, { deploymentId });
  const feedbackOf = async () =>
    (await db.pool.query('select review_feedback as found from deployments where id = $1', [deploymentId])).rows[0]
      .found;
  expect(await feedbackOf()).toMatchObject([{ severity: 'advisory', code: 'checks_incomplete' }]);
});
