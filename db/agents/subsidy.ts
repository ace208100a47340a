import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { inTransaction } from '../postgres/transaction.ts';
import type { Actor } from './deployments.ts';

/** An agent that the platform subsidises, or does no more. */
export interface SubsidisedAgent {
  agentId: string;
  /** `<namespace>/<slug>` */
  agent: string;
  workspaceId: string;
  since: Date | null;
}

/**
 * Grants an agent a subsidy, or takes it back, with a row of the audit: from then on its runs may cost less than the platform's cost, and
 * the platform bears the difference. Runs that are there keep their price list. Undefined: no such agent.
 */
export function setSubsidy(
  pool: Pool,
  order: { agent: string; granted: boolean; by: Actor },
): Promise<SubsidisedAgent | undefined> {
  const { agent, granted, by } = order;
  const [namespace, slug] = agent.split('/');
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<SubsidisedAgent>(SET, [namespace, slug, granted]);
    if (rows[0])
      await client.query(AUDIT, [
        newId('aud'),
        rows[0].workspaceId,
        by.keyId,
        actionOf(granted),
        rows[0].agentId,
        by.requestId,
      ]);
    return rows[0];
  });
}

const actionOf = (granted: boolean) => (granted ? 'grant_subsidy' : 'revoke_subsidy');

const SET = `
update agents set subsidised_at = case when $3 then coalesce(subsidised_at, now()) end where namespace = $1 and slug = $2
returning id as "agentId", namespace || '/' || slug as agent, workspace_id as "workspaceId", subsidised_at as since`;

const AUDIT = `
insert into audit_entries (id, workspace_id, key_id, action, subject_type, subject_id, request_id)
values ($1, $2, $3, $4, 'publisher.agent', $5, $6)`;
