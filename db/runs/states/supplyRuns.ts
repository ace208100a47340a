import type { PluginNeed } from '../../plugins/plugins.ts';
import { answerActions } from '../waiting/answerActions.ts';
import type { RunRow, RunStore } from '../runRow.ts';

/**
 * Resumes the runs of a workspace that wait for something it has now given to a plugin. Returns them: their workflows must be resumed.
 * Idempotent.
 */
export async function supplyRuns(
  { pool, ledger }: RunStore,
  { workspaceId, ...given }: { workspaceId: string } & Pick<PluginNeed, 'type' | 'plugin'> & { secrets?: string[] },
): Promise<RunRow[]> {
  const { type, plugin, secrets = null } = given;
  const { rows } = await pool.query<Pick<RunRow, 'id' | 'account_id'>>(WAITING, [workspaceId, type, plugin, secrets]);
  const supplied: RunRow[] = [];
  for (const { id: runId, account_id: accountId } of rows) {
    const answered = await answerActions(ledger, { workspaceId, accountId, runId, answers: [{ type }] });
    if (answered.outcome === 'answered') supplied.push(answered.run);
  }
  return supplied;
}

const WAITING = `
select id, account_id from runs where workspace_id = $1 and status = 'requires_action' and settled_at is null
  and not jsonb_exists(required_action, 'answer') and required_action ->> 'type' = $2 and required_action ->> 'plugin' = $3
  and ($4::text[] is null or required_action ->> 'secret' = any ($4))
order by created_at`;
