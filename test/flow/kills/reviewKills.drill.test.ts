import { afterAll, expect, test } from '@jest/globals';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import type { DeploymentBody } from '../../api/publisher/publisherStage.ts';
import { until } from '../../support/until.ts';
import { setReviewStage } from '../stages/reviewStage.ts';

const stage = await setReviewStage();
afterAll(() => stage.close());

const slow = JSON.stringify({ scripted: { text: 'A long verse. '.repeat(10), delayMs: 100 } });
const patient = { timeoutMs: 120_000, pollMs: 50 };

async function submit(changes: object = {}): Promise<string> {
  const { id } = await stage.makeAgent(changes);
  return (await stage.read<DeploymentBody>(stage.submit(id), 200)).id;
}

async function trialsOf(deploymentId: string): Promise<{ status: string; settled: boolean }[]> {
  const { rows } = await stage.db.pool.query(
    `select status, settled_at is not null as settled from runs where metadata ->> 'deployment_id' = $1`,
    [deploymentId],
  );
  return rows;
}

const isTried = async (id: string) => (await trialsOf(id)).filter(({ settled }) => settled).length === 4;
const isTrying = async (id: string) => (await trialsOf(id)).some(({ status }) => status === 'in_progress');

/** Retries until the decision is made: a lost answer says nothing about it. */
async function approve(id: string): Promise<void> {
  await until(async () => [200, 409].includes((await stage.decide(id, 'approve')).status), patient);
}

/** The records of a deployment's end. */
async function endOf(id: string) {
  const { rows } = await stage.db.pool.query(
    `select d.status, array(select type from platform_events e where e.resource_id = d.id) as events,
       array(select action from audit_entries a where a.subject_id = d.id) as audit,
       (select count(*)::int from deployments o where o.agent_id = d.agent_id and o.status = 'active') as live
     from deployments d where d.id = $1`,
    [id],
  );
  return rows[0] as object;
}

const withdrawn = { status: 'withdrawn', events: ['deployment.withdrawn'], audit: [], live: 0 };
const approved = { status: 'active', events: ['deployment.approved'], audit: ['approve'], live: 1 };

test.each(['worker', 'Temporal'] as const)(
  'a review survives a kill of %s before its checks, in a trial, while it waits, and during its decision',
  async (name) => {
    const victim = stage.victims[name];
    const [waiting, decided] = [await submit(), await submit()];
    await until(async () => (await isTried(waiting)) && (await isTried(decided)), patient);
    const trying = await submit({ example_prompts: [slow] });
    await until(() => isTrying(trying), patient);
    const fresh = await submit();
    const decision = stage.decide(decided, 'approve').catch(() => undefined);
    await victim.kill();
    // The review of this submission cannot be started now.
    const unstarted = await submit();
    await decision;
    await victim.start();
    await Promise.all([trying, fresh, unstarted].map((id) => until(() => isTried(id), patient)));
    const all = [waiting, decided, trying, fresh, unstarted];
    await Promise.all(all.map(approve));
    for (const id of all) {
      expect(await endOf(id)).toEqual(approved);
      expect((await trialsOf(id)).map(({ status }) => status)).toEqual(Array(4).fill('completed'));
      const { status } = await stage.reviewOf(id).result();
      expect(status).toBe('active');
    }
  },
  600_000,
);

test('a review outlives its workflow: cancelled it continues, terminated it restarts', async () => {
  const ids = await Promise.all([submit(), submit(), submit()]);
  await Promise.all(ids.map((id) => until(() => isTried(id), patient)));
  const [cancelled, decided, left] = ids;
  await stage.reviewOf(cancelled).cancel();
  await stage.reviewOf(decided).terminate('by an operator');
  await stage.reviewOf(left).terminate('by an operator');
  for (const id of [cancelled, decided]) expect((await stage.decide(id, 'approve')).status).toBe(200);
  const isOpen = async () => (await stage.reviewOf(left).describe()).status.name === 'RUNNING';
  await until(isOpen, patient);
  expect((await stage.decide(left, 'approve')).status).toBe(200);
  for (const id of ids) {
    expect(await endOf(id)).toEqual(approved);
    expect((await stage.reviewOf(id).result()).status).toBe('active');
  }
});

test.each(['worker', 'Temporal'] as const)(
  'a review is decided while %s is down, and its workflow ends later',
  async (name) => {
    const id = await submit();
    await until(() => isTried(id), patient);
    const victim = stage.victims[name];
    await victim.kill();
    expect((await stage.decide(id, 'approve')).status).toBe(200);
    expect(await endOf(id)).toEqual(approved);
    await victim.start();
    expect((await stage.reviewOf(id).result()).status).toBe('active');
  },
);

test('of a concurrent approval and withdrawal, one counts', async () => {
  const withdraw = (id: string) => stage.call(`/v1/publisher/deployments/${id}/withdraw`, { method: 'POST' });
  const ids = await Promise.all(Array.from({ length: 8 }, () => submit()));
  // One race after the other: the API's wait for a decision is limited, and afterwards neither has won.
  for (const [at, id] of ids.entries()) {
    const [first, second] =
      at % 2 === 0
        ? await Promise.all([stage.decide(id, 'approve'), withdraw(id)])
        : (await Promise.all([withdraw(id), stage.decide(id, 'approve')])).toReversed();
    expect([first!.status, second!.status].toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await endOf(id)).toEqual(first!.status === 200 ? approved : withdrawn);
  }
});

test('after all reviews nothing is held, and the ledger check passes', async () => {
  const open = `select count(*)::int as open from holds where state = 'open'`;
  await until(async () => (await stage.db.pool.query(open)).rows[0].open === 0, patient);
  const { violations } = await checkInvariants(stage.db.pool);
  expect(violations).toEqual([]);
});
