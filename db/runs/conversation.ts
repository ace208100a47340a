import type { Pool } from 'pg';
import type { AgentConfiguration } from '../agents/configuration.ts';
import { filesQuery, type RunFile } from '../sessions/runFiles.ts';
import type { InputItem } from './runRow.ts';

/** What a model step came to. Tool calls carry the number of the step that answers them. */
export interface ModelResult {
  text: string;
  toolCalls: { step: number; id: string; name: string; arguments: string }[];
  /** `length`: it was cut at the model's own limit. */
  outcome: 'final' | 'tools' | 'limit' | 'length' | 'timeout' | 'stopped';
}

/** What a tool step came to. */
export interface ToolStepResult {
  text: string;
  isError: boolean;
}

export type RecordedStep =
  | { step: number; kind: 'model'; result: ModelResult }
  | { step: number; kind: 'tool' | 'sandbox' | 'file'; result: ToolStepResult };

/** A run of the same session that completed before. */
export interface EarlierRun {
  input: string | InputItem[];
  output: { type: string; text?: string; filename?: string; data?: object }[];
}

/** Everything that a model is told from. */
export interface Conversation {
  configuration: AgentConfiguration;
  steps: RecordedStep[];
  /** Oldest first; at most the last twenty. */
  earlier: EarlierRun[];
  /** Of the session, by path. */
  files: RunFile[];
}

/** Reads what was said in a run and in its session before it. Throws when there is no such run. */
export async function readConversation(pool: Pool, runId: string): Promise<Conversation> {
  const query = { name: 'runs_conversation', text: CONVERSATION, values: [runId] };
  const { rows } = await pool.query<Conversation>(query);
  if (!rows[0]) throw new Error(`there is no run ${runId}`);
  return rows[0];
}

const CONVERSATION = `
select v.configuration,
  (select coalesce(json_agg(json_build_object('step', s.step, 'kind', s.kind, 'result', s.result) order by s.step), '[]')
    from run_steps s where s.run_id = r.id and s.state = 'completed') as steps,
  (select coalesce(json_agg(json_build_object('input', e.input, 'output', e.output) order by e.created_at), '[]')
    from (select input, output, created_at from runs
      where session_id = r.session_id and status = 'completed' and content_deleted_at is null and created_at < r.created_at and id <> r.id
      order by created_at desc limit 20) e) as earlier,
  (select coalesce(json_agg(f), '[]') from (${filesQuery('r.session_id', 'r.workspace_id')}) f) as files
from runs r join agent_versions v on v.id = r.version_id where r.id = $1`;
