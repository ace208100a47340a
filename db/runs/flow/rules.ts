import type { InferEntity } from '@mikro-orm/core';
import type { Pool } from 'pg';
import type { FlowRule } from '../../entities/flow.ts';
import type { AnyTransaction, Rows } from '../../postgres/rows.ts';
import { auditOf, type Actor } from '../../workspaces/audit.ts';
import { lockFlow } from './admitRuns.ts';

const auditRule = auditOf('flow_rule');

/** The most rules of a workspace: one for each agent. */
export const FLOW_RULES_MAX = 100;

export type FlowRuleRow = InferEntity<typeof FlowRule>;

/** What a person chooses. */
export type FlowRuleChoice = Omit<FlowRuleRow, 'id' | 'workspaceId' | 'agent' | 'createdAt'>;

/** The rules of the workspace, by agent. */
export const listFlowRules = (rows: Rows): Promise<FlowRuleRow[]> =>
  rows.statement(({ em, FlowRule }) => em.find(FlowRule, {}, { orderBy: { agent: 'asc' } }));

/** One rule of the workspace, or undefined. */
export const findFlowRule = async (rows: Rows, id: string): Promise<FlowRuleRow | undefined> =>
  (await rows.statement(({ em, FlowRule }) => em.findOne(FlowRule, { id }))) ?? undefined;

/** The workspace's rule of an agent, by name; null: none. */
export async function readRuleOf(
  pool: Pool,
  { workspaceId, agent }: { workspaceId: string; agent: string },
): Promise<FlowRuleRow | null> {
  const { rows } = await pool.query<FlowRuleRow>({ name: 'flow_rule', text: RULE, values: [workspaceId, agent] });
  return rows[0] ?? null;
}

// Raw: a prepared statement, read with every order of a run. The entity manager took five times as long.
const RULE = `
select id, workspace_id as "workspaceId", agent, concurrency_limit as "concurrencyLimit", concurrency_key as "concurrencyKey",
  rate_limit as "rateLimit", rate_period_seconds as "ratePeriodSeconds", rate_key as "rateKey", rate_exceeded as "rateExceeded",
  created_at as "createdAt"
from flow_rules where workspace_id = $1 and agent = $2`;

/**
 * Creates the rule of an agent, audited. The caller chooses `id`: nothing happens when it exists. Returns it from the same transaction: a
 * read after the commit could fail, and its error would make the caller create it again.
 */
export function insertFlowRule(
  rows: Rows,
  { id, by, agent, ...chosen }: FlowRuleChoice & { id: string; by: Actor; agent: string },
): Promise<FlowRuleRow | 'exists' | 'too_many'> {
  return rows.transaction(async (tx) => {
    const { em, FlowRule, workspaceId } = tx;
    // One at a time, so that the limits hold.
    await lockFlow(tx.client, workspaceId);
    const existing = await em.findOne(FlowRule, { id });
    if (existing) return existing;
    if (await em.findOne(FlowRule, { agent })) return 'exists';
    if ((await em.count(FlowRule, {})) >= FLOW_RULES_MAX) return 'too_many';
    await em.insert(FlowRule, { id, workspaceId, agent, ...chosen });
    await auditRule(tx, by, { action: 'create_flow_rule', id, detail: { after: { agent, ...chosen } } });
    return em.findOneOrFail(FlowRule, { id });
  });
}

/** Changes a rule, audited, also for the runs that follow it already. Returns it as it is then; undefined: no such rule. */
export function updateFlowRule(
  rows: Rows,
  id: string,
  { change, by }: { change: Partial<FlowRuleChoice>; by: Actor },
): Promise<FlowRuleRow | undefined> {
  return rows.transaction(async (tx) => {
    const { em, FlowRule, client, workspaceId } = tx;
    await lockFlow(client, workspaceId);
    const rule = await em.findOne(FlowRule, { id });
    if (!rule) return undefined;
    const names = Object.keys(change) as (keyof FlowRuleChoice)[];
    const before = Object.fromEntries(names.map((name) => [name, rule[name]]));
    if (names.length > 0) await em.nativeUpdate(FlowRule, { id }, change);
    const after = { ...rule, ...change };
    await followRule(tx, id, 'concurrency', { limit: after.concurrencyLimit, periodSeconds: null });
    await followRule(tx, id, 'rate', { limit: after.rateLimit, periodSeconds: after.ratePeriodSeconds });
    await auditRule(tx, by, { action: 'change_flow_rule', id, detail: { before, after: change } });
    return after;
  });
}

/** Deletes a rule, audited: no run follows it any more. False: no such rule. */
export function removeFlowRule(rows: Rows, id: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    const { em, FlowRule, client, workspaceId } = tx;
    await lockFlow(client, workspaceId);
    if ((await em.nativeDelete(FlowRule, { id })) === 0) return false;
    await followRule(tx, id, 'concurrency', { limit: null, periodSeconds: null });
    await followRule(tx, id, 'rate', { limit: null, periodSeconds: null });
    await auditRule(tx, by, { action: 'delete_flow_rule', id });
    return true;
  });
}

/** Gives the places of a rule its new limit, or none: runs that wait for it are admitted with the next turn. */
async function followRule(
  { em, FlowPlace, workspaceId }: AnyTransaction,
  ruleId: string,
  kind: 'concurrency' | 'rate',
  { limit, periodSeconds }: { limit: number | null; periodSeconds: number | null },
): Promise<void> {
  const places = { workspaceId: workspaceId!, ruleId, kind };
  if (limit !== null) return void (await em.nativeUpdate(FlowPlace, places, { runLimit: limit, periodSeconds }));
  await em.nativeDelete(FlowPlace, { ...places, admittedAt: { $ne: null } });
  await em.nativeUpdate(FlowPlace, places, { runLimit: null });
}
