import type { InferEntity } from '@mikro-orm/core';
import type { RunFeedback } from '../entities/run.ts';
import { newId } from '../ids.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';

/** A caller's feedback on a run, with what identifies the run. */
export type Feedback = InferEntity<typeof RunFeedback> & { sessionId: string; agent: string };

/** The author of feedback, and the run. */
export interface FeedbackPlace {
  runId: string;
  authorId: string;
}

/** The author's feedback on a run: null when there is none, undefined when the workspace has no such run. */
export function findFeedback(rows: Rows, { runId, authorId }: FeedbackPlace): Promise<Feedback | null | undefined> {
  return rows.transaction(async ({ em, Run, RunFeedback }) => {
    const run = await em.findOne(Run, { id: runId, deletedAt: null });
    if (!run) return undefined;
    const feedback = await em.findOne(RunFeedback, { runId, authorId });
    return feedback && { ...feedback, sessionId: run.sessionId, agent: run.agent };
  });
}

/** Stores feedback, or replaces the author's earlier one. `source` null: the run's own. False when the workspace has no such run. */
export function upsertFeedback(
  rows: Rows,
  { runId, authorId }: FeedbackPlace,
  { outcome, reason, source }: { outcome: string; reason: string; source: string | null },
): Promise<boolean> {
  return rows.transaction(async ({ em, Run, RunFeedback, sql, workspaceId }) => {
    const run = await em.findOne(Run, { id: runId, deletedAt: null });
    if (!run) return false;
    const values = { outcome, reason, source: source ?? run.source, updatedAt: sql.now() };
    await em
      .qb(RunFeedback)
      .insert({ id: newId('fb'), runId, authorId, workspaceId, agentId: run.agentId, ...values })
      .onConflict(['runId', 'authorId'])
      .merge(['outcome', 'reason', 'source', 'updatedAt'])
      .execute('run');
    return true;
  });
}

/** Deletes the author's feedback. False when there was none. */
export async function removeFeedback(rows: Rows, { runId, authorId }: FeedbackPlace): Promise<boolean> {
  return (await rows.statement(({ em, RunFeedback }) => em.nativeDelete(RunFeedback, { runId, authorId }))) === 1;
}

/** Feedback as the publisher of the agent reads it: nothing identifies its author or the run. */
export type AgentFeedback = Pick<
  InferEntity<typeof RunFeedback>,
  'id' | 'outcome' | 'reason' | 'source' | 'createdAt' | 'updatedAt'
> & { versionId: string; version: string };

/** Feedback on an agent from callers of other workspaces, newest first. */
export function listAgentFeedback(
  everywhere: Rows<undefined>,
  { agentId, publisherWorkspaceId }: { agentId: string; publisherWorkspaceId: string },
  page: PageQuery,
): Promise<{ rows: AgentFeedback[]; hasMore: boolean }> {
  return everywhere.transaction(async (tx) => {
    const { em, Run, RunFeedback } = tx;
    const ofCallers = { agentId, workspaceId: { $ne: publisherWorkspaceId } };
    const { rows, hasMore } = await readPage(tx, RunFeedback, ofCallers, page);
    const runs = await em.find(Run, { id: rows.map(({ runId }) => runId) }, { fields: ['versionId', 'version'] });
    const byId = new Map(runs.map((run) => [run.id, run]));
    return { rows: rows.map((row) => ({ ...row, ...versionOf(byId.get(row.runId)!) })), hasMore };
  });
}

const versionOf = ({ versionId, version }: { versionId: string; version: string }) => ({ versionId, version });
