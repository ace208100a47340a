import type { Pool } from 'pg';
import type { JsonSchema } from '../../../base/jsonSchema.ts';
import type { AgentConfiguration } from '../../agents/configuration.ts';
import type { Pricing } from '../../entities/agentJson.ts';
import { filesQuery, type RunFile } from '../../sessions/saveRunFiles.ts';
import type { ThousandthsByMeter } from '../cost/runCost.ts';
import { HEAD, HEADS_MAX, type EventHead } from '../../events/appendEvents.ts';
import { stepIdOf, type InputItem } from '../runRow.ts';
import type { StepRef } from '../stepFacts.ts';

/**
 * A step's data that the run's workflow lacks, because its attempt ended without an answer: its usage, and the events that the history
 * keeps, from its beginning on. For the first step, from the beginning of the run: of a rerun that reuses very many steps, the last ones.
 */
export async function readStepRecord(
  pool: Pool,
  { runId, step }: StepRef,
): Promise<{ meters: ThousandthsByMeter; events: EventHead[] }> {
  const { rows } = await pool.query(RECORD, [runId, step, stepIdOf(runId, step)]);
  return rows[0];
}

const RECORD = `
select
  (select coalesce(json_object_agg(meter, quantity_thousandths), '{}') from run_meters where run_id = $1 and step = $2) as meters,
  (select coalesce(json_agg(head order by sequence), '[]') from (
    select sequence, ${HEAD} as head from run_events where run_id = $1 and (type like 'run.step.%' or type in ('run.in_progress', 'run.usage.updated', 'run.budget.warning'))
      and sequence >= (select min(sequence) from run_events where run_id = $1
        and (data ->> 'step_id' = $3 or ($2 = 1 and type = 'run.in_progress')))
    order by sequence desc limit ${HEADS_MAX}) e) as events`;

/** A call by a model, and everything that its tool may see. */
export interface ToolCall {
  workspaceId: string;
  projectId: string | null;
  sessionId: string;
  /** The agent, its name and its version's label. */
  agentId: string;
  agent: string;
  version: string;
  /** The end user for whom the agent remembers. */
  endUser: string | null;
  name: string;
  arguments: string;
  /** Whether the caller has approved it, and with changed arguments; null for a call that nobody had to approve. */
  approval: 'approved' | 'edited' | null;
  configuration: AgentConfiguration;
  /** The run's price list. */
  prices: Pricing;
}

/** Finds the call for a step in the result of the model's step. Throws when there is none. */
export async function readToolCall(
  pool: Pool,
  { runId, modelStep, step }: { runId: string; modelStep: number; step: number },
): Promise<ToolCall> {
  const { rows } = await pool.query<ToolCall>({ name: 'runs_tool_call', text: CALL, values: [runId, modelStep, step] });
  if (!rows[0]) throw new Error(`step ${modelStep} of the run ${runId} has no call for step ${step}`);
  return rows[0];
}

/** How a cancelling run will end. */
export async function isGraceful(pool: Pool, runId: string): Promise<boolean> {
  const { rowCount } = await pool.query(`select from runs where id = $1 and cancel_mode = 'graceful'`, [runId]);
  return rowCount !== 0;
}

const CALL = `
select r.workspace_id as "workspaceId", r.project_id as "projectId", r.session_id as "sessionId", r.agent_id as "agentId", r.agent, r.version,
  r.end_user as "endUser", v.configuration, r.rate_card as prices, call ->> 'name' as name, call ->> 'arguments' as arguments, call ->> 'approval' as approval
from run_steps s join runs r on r.id = s.run_id join agent_versions v on v.id = r.version_id,
  jsonb_array_elements(s.result -> 'toolCalls') call
where s.run_id = $1 and s.step = $2 and (call ->> 'step')::int = $3`;

/** The maximum number of a single answer's tool calls that are run. */
export const CALLS_AT_ONCE_MAX = 20;

/** The arguments of the call that a step `s` answers, as an expression: they are in the result of the model's step. */
export const CALL_ARGUMENTS = `
(select call ->> 'arguments' from run_steps m, jsonb_array_elements(m.result -> 'toolCalls') call
  where m.run_id = s.run_id and m.kind = 'model' and m.step between s.step - ${CALLS_AT_ONCE_MAX} and s.step - 1 and (call ->> 'step')::int = s.step limit 1)`;

/**
 * The result of a model step. Tool calls carry the number of the step that answers them; null for calls that are not run: over the limit,
 * or cut after so many characters of their arguments.
 */
export interface ModelResult {
  text: string;
  toolCalls: {
    step: number | null;
    id: string;
    name: string;
    arguments: string;
    cutAfter?: number;
    /** Of a call that its caller has approved; `proposed`: the model's arguments, which the caller has changed. */
    approval?: 'approved' | 'edited';
    proposed?: string;
  }[];
  /** `length`: it was cut at the model's own limit. `misfit`: it ended without output that fits the run's schema. */
  outcome: 'final' | 'tools' | 'limit' | 'length' | 'timeout' | 'stopped' | 'misfit';
  /** Why the output does not fit the run's schema, for the model (`misfit`). */
  repair?: string;
  /** The part of the model's context that the call has used, where the conversation may be compacted. */
  contextTokens?: number;
}

/** The result of a tool step. */
export interface ToolStepResult {
  text: string;
  isError: boolean;
  /** The file of an image for the model to see with the result. */
  pictureId?: string;
  /** The version of the session's state in the text. */
  stateVersion?: number;
}

/** The result of a compaction: the summary, which is empty for a truncation, and the last step that it replaces for the model. */
export interface CompactionResult {
  text: string;
  toolCalls: [];
  /** `limit`: the run's money ran out first, so it replaces nothing. */
  outcome: 'compacted' | 'limit' | 'timeout' | 'stopped';
  mode: 'summarize' | 'truncate';
  /** 0: none. */
  through: number;
  /** The newest version of the session's state that was shown to the model before. */
  stateVersion?: number;
}

export type RecordedStep = { step: number; id: string; attempt: number } & (
  | { kind: 'model'; result: ModelResult }
  | { kind: 'compaction'; result: CompactionResult }
  | { kind: 'tool' | 'sandbox' | 'file'; result: ToolStepResult }
);

/** An earlier completed run of the same session. */
export interface EarlierRun {
  input: string | InputItem[];
  output: { type: string; text?: string; filename?: string; data?: object }[];
}

/** The source data of the model's messages. */
export interface Conversation {
  configuration: AgentConfiguration;
  /** The schema of the run's output: its caller's, otherwise its agent's. */
  outputSchema: JsonSchema | null;
  /** Those that the model reads: the ones after what the last compaction replaces, and that compaction. */
  steps: RecordedStep[];
  /** All calls of the model that have ended, with those for summaries. */
  modelCalls: number;
  /** Oldest first; at most the last twenty. None once a compaction has replaced them. */
  earlier: EarlierRun[];
  /** Of the session, by path. */
  files: RunFile[];
}

/** SQL: whether a step `s` is a call of the model. */
const IS_MODEL_CALL = `(s.kind = 'model' or s.kind = 'compaction' and s.name = 'summarize')`;

// Reruns of reruns, and so on.
const RERUNS_IN_LINE_MAX = 50;

/** Reads the content of a run and of earlier runs of its session. Throws when there is no such run. */
export async function readConversation(pool: Pool, runId: string): Promise<Conversation> {
  const query = { name: 'runs_conversation', text: CONVERSATION, values: [runId] };
  const { rows } = await pool.query<Conversation>(query);
  if (!rows[0]) throw new Error(`there is no run ${runId}`);
  return rows[0];
}

// The session of a rerun continues the conversation from before the repeated run. `coalesce`: the index of all runs that have content
// must not be used, because a plan made while tables were small stays with its connection.
const CONVERSATION = `
with recursive line as (
  select session_id, created_at as before, 0 as level from runs where id = $1
  union all
  select o.session_id, o.created_at, line.level + 1 from line join sessions s on s.id = line.session_id join runs o on o.id = s.origin_run_id
  where line.level < ${RERUNS_IN_LINE_MAX})
select v.configuration, coalesce(r.response_format #> '{json_schema,schema}', v.configuration -> 'output_schema') as "outputSchema",
  (select coalesce(json_agg(json_build_object('step', s.step, 'id', s.id, 'attempt', s.attempt, 'kind', s.kind, 'result', s.result) order by s.step), '[]')
    from run_steps s where s.run_id = r.id and s.state = 'completed' and s.step > compacted.through) as steps,
  (select count(*)::int from run_steps s where s.run_id = r.id and s.state = 'completed' and ${IS_MODEL_CALL}) as "modelCalls",
  (select coalesce(json_agg(json_build_object('input', e.input, 'output', e.output) order by e.created_at), '[]')
    from (select o.input, o.output, o.created_at from line join runs o on o.session_id = line.session_id
      where o.status = 'completed' and coalesce(o.content_deleted_at, 'infinity') = 'infinity' and o.created_at < line.before
        and o.id <> r.id and compacted.through = 0
      order by o.created_at desc limit 20) e) as earlier,
  (select coalesce(json_agg(f), '[]') from (${filesQuery('r.session_id', 'r.workspace_id')}) f) as files
from runs r join agent_versions v on v.id = r.version_id, lateral (
  select coalesce(max((c.result ->> 'through')::int), 0) as through
  from run_steps c where c.run_id = r.id and c.kind = 'compaction' and c.state = 'completed') compacted
where r.id = $1`;
