import type { Rows } from '../postgres/rows.ts';

/** Attempts of the last hour without an answer, at one upstream, for one model: their callers were answered by another one, or failed. */
export interface LostAttempts {
  upstream: string;
  model: string;
  attempts: number;
  /** Of the calls' prompts: what the upstream may charge the platform for. Nobody is billed for it. */
  inputTokens: number;
}

/** Reads them from the notes of calls, which have their attempts where there was more than one. */
export async function readLostAttempts(everywhere: Rows<undefined>): Promise<LostAttempts[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<LostAttempts>(LOST));
  return rows;
}

// An upstream that was never reached charges nothing.
const LOST = `
select a.attempt->>0 as upstream, q.model, count(*)::int as attempts, coalesce(sum((q.usage->>'input_tokens')::numeric), 0)::float8 as "inputTokens"
from requests q, jsonb_array_elements(substring(q.routing from '\\[.*$')::jsonb) a(attempt)
where q.settled_at > now() - interval '1 hour' and q.routing like '%[%' and a.attempt->>1 in ('late', 'stalled', 'failed')
group by 1, 2`;
