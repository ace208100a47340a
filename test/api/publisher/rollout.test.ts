import { afterAll, expect, test } from '@jest/globals';
import { codeOf } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { setPublisherStage, type DeploymentBody } from './publisherStage.ts';

const stage = await setPublisherStage();
afterAll(() => stage.close());

type Step = { percentage: number; new_version: object | null };
type Rolled = DeploymentBody & { rollout: { state: string; percentage: number; steps: Step[] } | null };

/** An agent with a public version and a submitted second version. */
async function submitNext(): Promise<{ name: string; first: DeploymentBody; next: DeploymentBody }> {
  const { id, name } = await stage.makeAgent();
  const first = await stage.read<DeploymentBody>(stage.submit(id), 200);
  await stage.read(stage.decide(first.id, 'approve'), 200);
  const change = {
    method: 'PATCH',
    headers: { 'if-match': '"draft-1"' },
    body: { description: 'Writes better verses.' },
  };
  await stage.read(stage.call(`/v1/publisher/agents/${id}/draft`, change), 200);
  return { name, first, next: await stage.read<DeploymentBody>(stage.submit(id, 2), 200) };
}

async function versionsRun(name: string, count: number): Promise<Set<string>> {
  const key = stage.stranger.secret;
  const versions = new Set<string>();
  for (let at = 0; at < count; at += 1) {
    const body = { agent: name, input: 'Hi', max_cost_usd: 0.05 };
    versions.add((await stage.read<{ version_id: string }>(stage.call('/v1/runs', { key, body }), 202)).version_id);
  }
  return versions;
}

test('an operator approves for a share of new sessions; the publisher promotes it, and its workflow ends', async () => {
  const { name, first, next } = await submitNext();
  expect((await stage.decide(next.id, 'approve', { rollout_percentage: 0 })).status).toBe(422);
  const both = { rollout_percentage: 5, rollout_steps: [{ percentage: 5 }] };
  expect((await stage.decide(next.id, 'approve', both)).status).toBe(422);
  const approved = await stage.read<Rolled>(stage.decide(next.id, 'approve', { rollout_percentage: 50 }), 200);
  expect(approved).toMatchObject({ status: 'active', rollout: { state: 'rolling', percentage: 50, reason: null } });
  expect(await versionsRun(name, 20)).toEqual(new Set([first.version_id, next.version_id]));
  const path = `/v1/publisher/deployments/${next.id}`;
  const promoted = await stage.read<Rolled>(stage.call(`${path}/promote`, { method: 'POST' }), 200);
  expect(promoted.rollout).toMatchObject({ state: 'complete' });
  expect(await versionsRun(name, 5)).toEqual(new Set([next.version_id]));
  const late = await stage.call(`${path}/roll-back`, { method: 'POST' });
  expect([late.status, await codeOf(late)]).toEqual([409, 'deployment_state']);
  // The sweep notifies the workflow.
  await until(async () => (await stage.statusOfReview(next.id)) === 'COMPLETED', { timeoutMs: 60_000, pollMs: 200 });
});

const steps = [{ percentage: 10, runs_min: 50, hours_min: 2 }, { percentage: 100 }];

test('publisher and operator plan the steps of a rollout, and read what each saw', async () => {
  const { next } = await submitNext();
  const path = `/v1/publisher/deployments/${next.id}`;
  const plan = (body: object, key = stage.publisher.secret) => stage.call(`${path}/rollout`, { key, body });
  expect(await stage.read<Rolled>(plan({ steps }), 200)).toMatchObject({
    rollout: { state: 'planned', percentage: 10 },
  });
  expect((await plan({ steps }, stage.stranger.secret)).status).toBe(404);
  const approved = await stage.read<Rolled>(stage.decide(next.id, 'approve'), 200);
  const unseen = { ended_at: null, outcome: null, new_version: null, live_version: null };
  expect(approved.rollout).toMatchObject({
    state: 'rolling',
    percentage: 10,
    steps: [
      { percentage: 10, runs_min: 50, hours_min: 2, started_at: expect.any(String) },
      { percentage: 100, runs_min: 20, hours_min: 1, started_at: null, ...unseen },
    ],
  });
  // The workflow checks at once.
  const seen = { runs: 0, completion_rate: null, median_cost_usd: null };
  await until(async () => {
    const { rollout } = await stage.read<Rolled>(stage.call(path), 200);
    return JSON.stringify(rollout!.steps[0]!.new_version) === JSON.stringify(seen);
  });
  const changed = await stage.read<Rolled>(stage.decide(next.id, 'rollout', { steps: [{ percentage: 60 }] }), 200);
  expect(changed.rollout!.steps.map(({ percentage }) => percentage)).toEqual([10, 60]);
  const late = await plan({ steps: [{ percentage: 10 }] });
  expect([late.status, await late.json()]).toMatchObject([422, { error: { param: 'steps.0.percentage' } }]);
  await stage.read(stage.call(`${path}/roll-back`, { method: 'POST' }), 200);
  const ended = await plan({ steps });
  expect([ended.status, await codeOf(ended)]).toEqual([409, 'deployment_state']);
});

test.each([
  [{ steps: [] }, 'steps'],
  [{ steps: [{ percentage: 50 }, { percentage: 50 }] }, 'steps'],
  [{ steps: [{ percentage: 0 }] }, 'steps.0.percentage'],
  [{ steps: [{ percentage: 5, runs_min: 4 }] }, 'steps.0.runs_min'],
  [{ steps: [{ percentage: 5, hours_min: 337 }] }, 'steps.0.hours_min'],
  [{ steps: Array.from({ length: 11 }, (_, at) => ({ percentage: at + 1 })) }, 'steps'],
])('the plan %j is refused', async (body, param) => {
  const refused = await stage.call('/v1/publisher/deployments/dep_1/rollout', { body });
  expect([refused.status, await refused.json()]).toMatchObject([422, { error: { param } }]);
});

test('an operator takes a version back; callers may still name it', async () => {
  const { name, first, next } = await submitNext();
  await stage.read(stage.decide(next.id, 'approve', { rollout_percentage: 99 }), 200);
  const back = await stage.read<Rolled>(stage.decide(next.id, 'roll-back'), 200);
  expect(back).toMatchObject({ status: 'superseded', rollout: { state: 'rolled_back' } });
  expect(await versionsRun(name, 5)).toEqual(new Set([first.version_id]));
  const body = { agent: name, version: next.version_id, input: 'Hi' };
  const named = await stage.read<{ version_id: string }>(
    stage.call('/v1/runs', { key: stage.stranger.secret, body }),
    202,
  );
  expect(named.version_id).toBe(next.version_id);
  const stranger = await stage.call(`/v1/publisher/deployments/${next.id}/promote`, {
    key: stage.stranger.secret,
    method: 'POST',
  });
  expect(stranger.status).toBe(404);
});
