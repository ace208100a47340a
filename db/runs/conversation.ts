import type { Pool } from 'pg';
import type { AgentConfiguration } from '../agents/configuration.ts';
import type { InputItem, RunRow } from './runRow.ts';

/** What a model step came to. Tool calls carry the number of the step that answers them. */
export interface ModelResult {
  text: string;
  toolCalls: { step: number; id: string; name: string; arguments: string }[];
  outcome: 'final' | 'tools' | 'limit' | 'timeout' | 'stopped';
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
  output: { type: string; text?: string }[];
}

/** Everything that a model is told from. */
export interface Conversation {
  configuration: AgentConfiguration;
  steps: RecordedStep[];
  /** Oldest first; at most the last twenty. */
  earlier: EarlierRun[];
}

/** Reads what was said in a run and in its session before it. */
export async function readConversation(pool: Pool, run: RunRow): Promise<Conversation> {
  const { rows } = await pool.query<Conversation>({
    name: 'runs_conversation',
    text: CONVERSATION,
    values: [run.id, run.version_id, run.session_id, run.created_at],
  });
  return rows[0]!;
}

const CONVERSATION = `
select v.configuration,
  (select coalesce(json_agg(json_build_object('step', s.step, 'kind', s.kind, 'result', s.result) order by s.step), '[]')
    from run_steps s where s.run_id = $1 and s.state = 'completed') as steps,
  (select coalesce(json_agg(json_build_object('input', e.input, 'output', e.output) order by e.created_at), '[]')
    from (select input, output, created_at from runs
      where session_id = $3 and status = 'completed' and created_at < $4 and id <> $1 order by created_at desc limit 20) e) as earlier
from agent_versions v where v.id = $2`;
