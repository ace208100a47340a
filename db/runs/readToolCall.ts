import type { Pool } from 'pg';
import type { AgentConfiguration } from '../agents/configuration.ts';

/** A call that a model made, and all that its tool may see. */
export interface ToolCall {
  workspaceId: string;
  sessionId: string;
  name: string;
  arguments: string;
  configuration: AgentConfiguration;
}

/** Finds the call that a step answers, in what the model's step came to. Throws when there is none. */
export async function readToolCall(
  pool: Pool,
  { runId, modelStep, step }: { runId: string; modelStep: number; step: number },
): Promise<ToolCall> {
  const { rows } = await pool.query<ToolCall>({ name: 'runs_tool_call', text: CALL, values: [runId, modelStep, step] });
  if (!rows[0]) throw new Error(`step ${modelStep} of the run ${runId} has no call for step ${step}`);
  return rows[0];
}

/** How a run that is being cancelled is to end. */
export async function isGraceful(pool: Pool, runId: string): Promise<boolean> {
  const { rowCount } = await pool.query(`select from runs where id = $1 and cancel_mode = 'graceful'`, [runId]);
  return rowCount !== 0;
}

const CALL = `
select r.workspace_id as "workspaceId", r.session_id as "sessionId", v.configuration, call ->> 'name' as name, call ->> 'arguments' as arguments
from run_steps s join runs r on r.id = s.run_id join agent_versions v on v.id = r.version_id,
  jsonb_array_elements(s.result -> 'toolCalls') call
where s.run_id = $1 and s.step = $2 and (call ->> 'step')::int = $3`;
