import type { AgentConfiguration } from '../../../../db/agents/configuration.ts';
import { moveDeployment, rollBack, type MoveOrder } from '../../../../db/publishing/moveDeployment.ts';
import { resolveAgent } from '../../../../db/agents/publicAgents.ts';
import { updateDraft } from '../../../../db/publishing/publisherAgents.ts';
import { advanceRollout } from '../../../../db/publishing/rollout/advanceRollout.ts';
import type { StepRecord } from '../../../../db/entities/agent.ts';
import { newId } from '../../../../db/ids.ts';
import { beginStep } from '../../../../db/runs/steps/beginStep.ts';
import { makeAccount } from '../../../support/account.ts';
import { finishTestRun, makeRun } from '../../../support/run.ts';
import { draft, publisher, setPublishingStage } from '../publishingStage.ts';

export type RolloutStage = Awaited<ReturnType<typeof setRolloutStage>>;

/** A database with agents whose next versions are rolled out, and a caller of another workspace. */
export async function setRolloutStage() {
  const stage = await setPublishingStage();
  const caller = await makeAccount(stage.db, { creditUsd: '1000' });

  /** An agent with a public version, and helpers for its next versions. */
  async function makePublished() {
    const agent = await stage.makeAgent();
    const { workspaceId, agentId, name } = agent;
    const first = await agent.submitted();
    await stage.move(first, 'approve');
    const resolve = (sessionId: string | null = null, version: string | null = null) =>
      resolveAgent(stage.db.everywhere, { agent: name, version, visibility: 'public', workspaceId, sessionId });
    const versionOf = async (sessionId: string | null = null) => (await resolve(sessionId))!.versionId;

    /** Submits a changed draft and approves it. */
    async function approve(
      changes: Partial<AgentConfiguration> = {},
      rollout: Pick<MoveOrder, 'rolloutPercentage' | 'rolloutSteps'> = {},
    ): Promise<string> {
      const { draftRevision: revision } = await agent.read();
      await updateDraft(stage.db.write(workspaceId), { agentId, revision, draft: { ...draft, ...changes } });
      const deploymentId = await agent.submitted();
      const by = { operatorKeyId: 'key_o', requestId: newId('req') };
      await moveDeployment(stage.db.everywhere, { deploymentId, move: 'approve', feedback: [], ...rollout, by });
      return deploymentId;
    }

    const state = async (deploymentId: string) => {
      const { rows } = await stage.db.pool.query(
        'select status, rollout_state as rollout, rollout_reason as reason, version_id as version, rollout_steps as steps, rollout_percentage as percentage from deployments where id = $1',
        [deploymentId],
      );
      return rows[0] as {
        status: string;
        rollout: string | null;
        reason: string | null;
        version: string;
        steps: StepRecord[] | null;
        percentage: number;
      };
    };

    /** How a run of a version by the caller begins. */
    async function begins(versionId: string) {
      const { id: runId } = await makeRun(stage.db, caller, {
        maxCostNanos: 10_000n,
        publisherWorkspaceId: workspaceId,
      });
      const text = `update runs set agent_id = $2, version_id = $3, visibility = 'public' where id = $1`;
      await stage.db.pool.query(text, [runId, agentId, versionId]);
      return (await beginStep(stage.db.pool, { runId, step: 1, kind: 'model', name: 'test' })).state;
    }

    async function rollBackTo(versionId: string) {
      const order = { agentId, versionId, deploymentId: newId('dep'), by: publisher };
      return (await rollBack(stage.db.write(workspaceId), order)).outcome;
    }

    /** Ended runs of a version by the caller. */
    async function ran(
      versionId: string,
      count: number,
      ending: { status?: 'completed' | 'failed'; costNanos?: bigint } = {},
    ) {
      for (let at = 0; at < count; at += 1) {
        const run = await makeRun(stage.db, caller, { maxCostNanos: 10_000n, publisherWorkspaceId: workspaceId });
        await stage.db.pool.query('update runs set agent_id = $2, version_id = $3 where id = $1', [
          run.id,
          agentId,
          versionId,
        ]);
        const { status = 'completed', costNanos = 100n } = ending;
        await finishTestRun(stage.db, run, { status, subtotalNanos: status === 'completed' ? costNanos : 0n });
      }
    }

    /** Moves the start of the present step back in time. */
    const passHours = (deploymentId: string, hours: number) =>
      stage.db.pool.query(
        'update deployments set rollout_step_started_at = rollout_step_started_at - make_interval(hours => $2) where id = $1',
        [deploymentId, hours],
      );

    const advance = (deploymentId: string) => advanceRollout(stage.db.everywhere, { deploymentId });
    const events = async (deploymentId: string) => {
      const text = 'select type from platform_events where resource_id = $1 order by created_at';
      return (await stage.db.pool.query<{ type: string }>(text, [deploymentId])).rows.map(({ type }) => type);
    };
    return {
      ...agent,
      first,
      resolve,
      versionOf,
      approve,
      state,
      begins,
      rollBack: rollBackTo,
      ran,
      passHours,
      advance,
      events,
    };
  }

  /** What the events of a type about an agent say to a workspace, oldest first. */
  async function eventsOf(type: string, workspaceId: string, { name }: { name: string }) {
    const text =
      'select data from platform_events where type = $1 and workspace_id = $2 and resource_id = $3 order by created_at, id';
    const values = [type, workspaceId, name];
    const { rows } = await stage.db.pool.query<{ data: Record<string, unknown> }>(text, values);
    return rows.map(({ data }) => data);
  }

  return { ...stage, caller, makePublished, eventsOf };
}
