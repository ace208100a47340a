import type { InferEntity } from '@mikro-orm/core';
import type { RunShare } from '../entities/publishedRun.ts';
import type { Run } from '../entities/run.ts';
import { recordEvent } from '../events/platformEvents.ts';
import type { Rows } from '../postgres/rows.ts';
import { isTerminal, type RunStatus } from '../runs/runRow.ts';
import { auditOf, type Actor } from '../workspaces/audit.ts';
import { isTestWorkspace } from '../workspaces/mode.ts';

const auditShare = auditOf('run');

export type RunShareRow = InferEntity<typeof RunShare>;

/** Why a run cannot be shared. */
export type ShareRefusal =
  | 'not_found'
  | { notTerminal: RunStatus }
  /** The agent is the workspace's own. */
  | 'own_agent'
  /** Publishers do not see runs of test workspaces. */
  | 'test'
  | 'content_deleted';

/** Whether a run may be shared, and its share, also an ended one. */
export interface ShareState {
  isShareable: boolean;
  share: RunShareRow | null;
}

/** The share of a run of the workspace; undefined: no such run. */
export function findShare(rows: Rows, runId: string): Promise<ShareState | undefined> {
  return rows.transaction(async ({ em, Run, RunShare }) => {
    const run = await em.findOne(Run, { id: runId, deletedAt: null });
    if (!run) return undefined;
    return { isShareable: refusalOf(run) === undefined, share: await em.findOne(RunShare, { runId }) };
  });
}

type RunRow = InferEntity<typeof Run>;

function refusalOf({ workspaceId, publisherWorkspaceId, status, contentDeletedAt }: RunRow): ShareRefusal | undefined {
  if (publisherWorkspaceId === workspaceId) return 'own_agent';
  if (isTestWorkspace(workspaceId)) return 'test';
  if (!isTerminal(status)) return { notTerminal: status };
  return contentDeletedAt === null ? undefined : 'content_deleted';
}

/**
 * Lets the publisher of a run's agent read its content for some days, audited; again, for so many days from now. Tells the publisher. The
 * caller's own agents need no share.
 */
export function shareRun(
  rows: Rows,
  runId: string,
  { days, by }: { days: number; by: Actor },
): Promise<RunShareRow | ShareRefusal> {
  return rows.transaction(async (tx) => {
    const { em, Run, RunShare, LockMode, workspaceId, sql } = tx;
    const run = await em.findOne(Run, { id: runId, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!run) return 'not_found';
    const refusal = refusalOf(run);
    if (refusal) return refusal;
    const { publisherWorkspaceId, agentId, agent, versionId, version } = run;
    const before = await em.findOne(RunShare, { runId });
    const expiresAt = sql`now() + ${days} * interval '1 day'`;
    const times = { createdAt: sql.now(), expiresAt, revokedAt: null };
    if (before) await em.nativeUpdate(RunShare, { runId }, times);
    else await em.insert(RunShare, { runId, workspaceId, publisherWorkspaceId, ...times, readAt: null });
    const share = await em.findOneOrFail(RunShare, { runId }, { refresh: true });
    await auditShare(tx, by, {
      action: 'share_run',
      id: runId,
      detail: { agent, expires_at: share.expiresAt.toISOString() },
    });
    await recordEvent(tx, publisherWorkspaceId, {
      type: 'agent.run_shared',
      resourceType: 'publisher.agent',
      resourceId: agentId,
      data: {
        run_id: runId,
        agent_id: agentId,
        agent,
        version_id: versionId,
        version,
        expires_at: share.expiresAt.toISOString(),
        links: { run: `/v1/publisher/agents/${agentId}/runs/${runId}` },
      },
    });
    return share;
  });
}

/** Ends the share of a run, audited. False: it is not shared. */
export function revokeShare(rows: Rows, runId: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    const { em, RunShare, sql } = tx;
    const live = { runId, revokedAt: null, expiresAt: { $gt: sql.now() } };
    if ((await em.nativeUpdate(RunShare, live, { revokedAt: sql.now() })) === 0) return false;
    await auditShare(tx, by, { action: 'revoke_run_share', id: runId });
    return true;
  });
}

/** Notes when the publisher first read the content, so that the caller can see it. */
export const markShareRead = async (everywhere: Rows<undefined>, runId: string): Promise<void> => {
  await everywhere.statement(({ em, RunShare, sql }) =>
    em.nativeUpdate(RunShare, { runId, readAt: null }, { readAt: sql.now() }),
  );
};
