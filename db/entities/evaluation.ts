import { defineEntity, p } from '@mikro-orm/core';
import type { InputItem } from './run.ts';

/** A condition on what a run of a case does. */
export type EvaluationCheck =
  | {
      type: 'string_check';
      operation: 'equals' | 'not_equals' | 'contains' | 'not_contains' | 'regex';
      reference: string;
      ignore_case: boolean;
    }
  | { type: 'json_schema'; schema: Record<string, unknown> }
  | { type: 'score_model'; model: string | null; rubric: string; pass_threshold: number }
  | { type: 'tool_called'; tool: string }
  | { type: 'cost'; max_cost_usd: number }
  | { type: 'latency'; max_seconds: number };

/** An input of an agent, and the checks of what its run does. Its name is unique in its set. */
export interface EvaluationCase {
  name: string;
  input: string | InputItem[];
  checks: EvaluationCheck[];
}

/** `errored`: it could not be decided, for a reason that is not the agent's. */
export type CaseStatus = 'passed' | 'failed' | 'errored' | 'cancelled';

/** What became of one check, in the order of the case's checks. */
export interface CheckResult {
  type: EvaluationCheck['type'];
  status: 'passed' | 'failed' | 'errored';
  message: string;
  /** Of a model's judgement. */
  score?: number;
  reason?: string;
  cost_usd?: number;
}

export type EvaluationStatus = 'queued' | 'in_progress' | 'passed' | 'failed' | 'cancelled';

/** Why cases were not run. */
export interface EvaluationError {
  code: string;
  message: string;
}

/** The cases that are kept with an agent. Each change increments `revision`. */
export const EvaluationSet = defineEntity({
  name: 'EvaluationSet',
  tableName: 'evaluation_sets',
  properties: {
    agentId: p.text().primary(),
    workspaceId: p.text().index(),
    revision: p.integer().default(1),
    cases: p.json().$type<EvaluationCase[]>(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A run of a set with one version, with the cases as they were. Its workflow writes its state, except for an ordered cancellation. */
export const EvaluationRun = defineEntity({
  name: 'EvaluationRun',
  tableName: 'evaluation_runs',
  checks: [
    {
      name: 'evaluation_runs_status_check',
      expression: "status in ('queued', 'in_progress', 'passed', 'failed', 'cancelled')",
    },
    {
      name: 'evaluation_runs_ended_check',
      expression: "(status in ('passed', 'failed', 'cancelled')) = (ended_at is not null)",
    },
  ],
  indexes: [
    { name: 'evaluation_runs_agent_index', properties: ['agentId', 'createdAt', 'id'] },
    {
      name: 'evaluation_runs_open_index',
      expression: 'create index evaluation_runs_open_index on evaluation_runs (created_at) where ended_at is null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    agentId: p.text(),
    /** The key that started it: it pays. */
    keyId: p.text(),
    versionId: p.text(),
    version: p.text(),
    /** Of the version's configuration: versions with the same one have the same results. */
    configurationHash: p.text(),
    setRevision: p.integer(),
    /** Up to a mebibyte: lists leave them out. */
    cases: p.json().$type<EvaluationCase[]>().lazy(),
    caseCount: p.integer(),
    status: p.text().$type<EvaluationStatus>().default('queued'),
    error: p.json().$type<EvaluationError>().strictNullable(),
    /** The limit of what it may cost; null: that of its cases. */
    maxCostNanos: p.bigint().strictNullable(),
    workflowStartedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    startedAt: p.datetime().strictNullable(),
    cancelRequestedAt: p.datetime().strictNullable(),
    endedAt: p.datetime().strictNullable(),
  },
});

/** The result of one case, by its place in the run's cases. */
export const EvaluationResult = defineEntity({
  name: 'EvaluationResult',
  tableName: 'evaluation_results',
  checks: [
    {
      name: 'evaluation_results_status_check',
      expression: "status in ('passed', 'failed', 'errored', 'cancelled')",
    },
  ],
  properties: {
    evaluationRunId: p.text().primary(),
    place: p.integer().primary(),
    workspaceId: p.text().index(),
    status: p.text().$type<CaseStatus>(),
    /** The agent's run; null when none was created. */
    runId: p.text().strictNullable(),
    checks: p.json().$type<CheckResult[]>(),
    error: p.json().$type<EvaluationError>().strictNullable(),
    /** Of the run, with those of the agents it called, and of the models that judged it. */
    runNanos: p.bigint(),
    judgeNanos: p.bigint(),
    durationMs: p.integer().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
