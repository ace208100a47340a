import { isDeepStrictEqual } from 'node:util';
import type { InferEntity } from '@mikro-orm/core';
import type { EvaluationCase, EvaluationSet } from '../entities/evaluation.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';

export type EvaluationSetRow = InferEntity<typeof EvaluationSet>;

/** The most checks of a case. The numbers of their judgements, which are paid calls, depend on it. */
export const CHECKS_MAX = 20;

/** The set of an agent; undefined for an agent without one. */
export async function findEvaluationSet(rows: AnyRows, agentId: string): Promise<EvaluationSetRow | undefined> {
  return (await rows.statement(({ em, EvaluationSet }) => em.findOne(EvaluationSet, { agentId }))) ?? undefined;
}

type SetOutcome = { outcome: 'stored' } | { outcome: 'not_found' } | { outcome: 'stale'; revision: number };

/** Replaces the set of an agent, which must be at `revision` (0: has none), unless that is null. */
export function storeEvaluationSet(
  rows: Rows,
  { agentId, revision, cases }: { agentId: string; revision: number | null; cases: EvaluationCase[] },
): Promise<SetOutcome> {
  return rows.transaction(async ({ em, Agent, EvaluationSet, LockMode, sql, workspaceId }) => {
    const agent = await em.findOne(Agent, { id: agentId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!agent) return { outcome: 'not_found' };
    const set = await em.findOne(EvaluationSet, { agentId });
    const current = set?.revision ?? 0;
    if (revision !== null && revision !== current) return { outcome: 'stale', revision: current };
    // A set that is stored again stays as it is, and its results with it.
    if (set && isDeepStrictEqual(set.cases, cases)) return { outcome: 'stored' };
    if (!set) await em.insert(EvaluationSet, { agentId, workspaceId, cases });
    else await em.nativeUpdate(EvaluationSet, { agentId }, { cases, revision: current + 1, updatedAt: sql.now() });
    return { outcome: 'stored' };
  });
}

/** Deletes the set of an agent. Its runs stay. False: there is none. */
export const removeEvaluationSet = async (rows: Rows, agentId: string): Promise<boolean> =>
  (await rows.statement(({ em, EvaluationSet }) => em.nativeDelete(EvaluationSet, { agentId }))) === 1;
