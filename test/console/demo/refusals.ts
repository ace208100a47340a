import type { Client } from 'pg';
import { idAt, type Chance } from './chance.ts';
import type { PastCall } from './pastCalls.ts';

const WEEK_MS = 7 * 86_400_000;

// The error code and message of each status of a failed call.
const FAILURES: Record<number, [code: string, message: string]> = {
  502: ['provider_failed', 'The model failed. Nothing was charged; try again.'],
  503: ['overloaded', 'Too many calls are waiting. Try again in some seconds.'],
  504: ['provider_timeout', 'The model did not answer in time. Nothing was charged.'],
};

const REFUSED: [status: number, code: string, message: string, weight: number][] = [
  [429, 'rate_limit_exceeded', 'This key has sent 120 requests in a minute, its limit. Try again in 14 seconds.', 46],
  [429, 'concurrency_limit_exceeded', 'This key has 12 requests in flight, its limit.', 9],
  [402, 'key_spend_limit_reached', 'The key has spent its limit of 25 USD for this day.', 14],
  [400, 'invalid_value', "Invalid 'temperature': expected a number from 0 to 2.", 12],
  [404, 'model_not_found', "The model 'gpt-4.1-mini' does not exist.", 10],
  [403, 'scope_not_allowed', 'This key does not have the scope "voice".', 5],
  [413, 'request_too_large', 'The body is larger than 20971520 bytes.', 3],
];

const WEIGHTS = REFUSED.map((one): [typeof one, number] => [one, one[3]]);

/** Inserts why calls of the last week failed or were refused. */
export async function insertRefusals(
  owner: Client,
  {
    workspaceId,
    keyIds,
    past,
    untilMs,
    chance,
  }: {
    workspaceId: string;
    keyIds: string[];
    past: PastCall[];
    untilMs: number;
    chance: Chance;
  },
): Promise<void> {
  const failed = past.filter(({ status, settled_at: at }) => FAILURES[status] && Date.parse(at) > untilMs - WEEK_MS);
  const rows = failed.map(({ id, key_id, route, model, status, settled_at, duration_ms }) => {
    const [code, message] = FAILURES[status]!;
    return { id, key_id, route, model, status, code, message, duration_ms, created_at: settled_at, calls: 1 };
  });
  for (let at = 0; at < failed.length * 2 + 40; at += 1) {
    const atMs = untilMs - Math.floor(WEEK_MS * chance.next() * 0.98);
    const [status, code, message] = chance.weighted(WEIGHTS);
    const [route, model] = ['/v1/chat/completions', code === 'model_not_found' ? 'gpt-4.1-mini' : 'qwen3-32b'];
    const key_id = chance.pick(keyIds);
    const created_at = new Date(atMs).toISOString();
    rows.push({
      id: idAt('req', atMs, chance),
      key_id,
      route,
      model,
      status,
      code,
      message,
      duration_ms: 2,
      created_at,
      calls: 1,
    });
  }
  await owner.query(INSERT, [JSON.stringify(rows), workspaceId]);
}

const INSERT = `
insert into refused_calls (id, workspace_id, key_id, route, model, status, code, message, duration_ms, calls, created_at, expires_at)
select id, $2, key_id, route, model, status, code, message, duration_ms, calls, created_at, created_at + interval '7 days'
from jsonb_to_recordset($1::jsonb) r(id text, key_id text, route text, model text, status int, code text, message text, duration_ms int,
  calls int, created_at timestamptz)`;
