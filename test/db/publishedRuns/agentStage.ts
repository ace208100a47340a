import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import type { openTestDatabase } from '../../support/database.ts';

type Db = Awaited<ReturnType<typeof openTestDatabase>>;

/** A run that has ended, straight in its table. */
export interface Ended {
  status?: string;
  code?: string;
  fault?: string;
  version?: string;
  /** Before now. */
  minutesAgo?: number;
  seconds?: number;
  grossNanos?: number;
  workspaceId?: string;
  source?: string;
}

/** A publisher with an agent, and a caller. */
export async function makeAgent(db: Db) {
  const publisher = await makeAccount(db);
  const caller = await makeAccount(db);
  const agentId = newId('agent');
  await db.pool.query(
    `insert into agents (id, workspace_id, namespace, slug, draft) values ($1, $2, 'test', $3, '{}')`,
    [agentId, publisher.workspaceId, agentId.toLowerCase().replace('_', '')],
  );

  const end = async (count: number, { workspaceId = caller.workspaceId, ...ended }: Ended = {}): Promise<void> => {
    await endRuns(db, { agentId, publisherId: publisher.workspaceId, workspaceId }, count, ended);
  };
  return { agentId, workspaceId: publisher.workspaceId, caller, publisher, end };
}

/** Runs of an agent that have ended, ordered by a workspace. Returns their ids. */
export async function endRuns(
  db: Pick<Db, 'pool'>,
  { agentId, publisherId, workspaceId }: { agentId: string; publisherId: string; workspaceId: string },
  count: number,
  ended: Omit<Ended, 'workspaceId'> = {},
): Promise<string[]> {
  const { status = 'completed', code = null, fault = null, version = '1', minutesAgo = 5, seconds = 1 } = ended;
  const { grossNanos = 1_000, source = 'api' } = ended;
  const cost = status === 'failed' ? 0 : grossNanos;
  const values = [workspaceId, publisherId, agentId, version, status, code, fault, minutesAgo, seconds, cost];
  const { rows } = await db.pool.query<{ id: string }>(INSERT, [...values, source, count, newId('run'), RATE_CARD]);
  return rows.map(({ id }) => id);
}

const RATE_CARD = JSON.stringify({
  id: 'price_a',
  currency: 'USD',
  minimum_cost_usd: 0,
  maximum_cost_usd: 1,
  network_fee_percentage: 10,
  meters: [],
});

const INSERT = `
insert into runs (id, workspace_id, key_id, account_id, publisher_workspace_id, agent_id, agent, agent_name, version_id, version, session_id,
  visibility, status, status_reason, fault, error, input, on_limit, on_disconnect, if_session_busy, timeout_seconds, start_at, source, rate_card,
  max_cost_nanos, minimum_cost_nanos, hold_id, held_nanos, subtotal_nanos, total_nanos, created_at, started_at, completed_at, settled_at)
select $13 || n, $1, 'key_a', 'acct_a', $2, $3, 'test/agent', 'Agent', 'aver_' || $4, $4, 'ses_a', 'public', $5, $6, $7,
  case when $5 = 'failed' then jsonb_build_object('code', $6::text, 'message', 'Words of a caller.') end, '"Words of a caller."', 'stop',
  'continue', 'reject', 3600, t.ended, $11, $14, 1000000000, 0, 'hold_a', 0, $10, $10, t.ended - $9 * interval '1 second',
  t.ended - $9 * interval '1 second', t.ended, t.ended
from generate_series(1, $12::int) n cross join lateral (select now() - $8 * interval '1 minute' - n * interval '1 millisecond' as ended) t
returning id`;
