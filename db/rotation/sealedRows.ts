import { PLAN_WHOLE_TABLES } from '../postgres/planning.ts';
import type { RowsOfAll } from '../postgres/rows.ts';
import type { RingName } from '../../base/keyRings.ts';

/** How many values of one kind are sealed, by the id of the key that opens them. */
export interface SealedCount {
  variable: RingName;
  what: string;
  byKey: Record<string, number>;
}

// Whole tables are read, contents of calls too: an operator waits for it.
const TIMEOUT_MS = 600_000;

/** Counts everything that is sealed in the database. Values that nothing reads again, such as expired ones, are left out. */
export function countSealed(everywhere: RowsOfAll['everywhere']): Promise<SealedCount[]> {
  return everywhere.transaction(async ({ client }) => {
    await client.query(`set local statement_timeout = ${TIMEOUT_MS}; ${PLAN_WHOLE_TABLES}`);
    const counts: SealedCount[] = [];
    for (const { variable, what, sql } of KINDS) {
      const text = `select key, count(*)::int as count from (${sql}) s (key) where key is not null group by key`;
      const query = { text, query_timeout: TIMEOUT_MS };
      const { rows } = await client.query<{ key: string; count: number }>(query);
      counts.push({ variable, what, byKey: Object.fromEntries(rows.map(({ key, count }) => [key, count])) });
    }
    return counts;
  });
}

const live = (one: string) => `coalesce((${one} ->> 'expiresAt')::timestamptz > now(), true)`;

// In the order in which they are moved. A value of `SealingKeys` has its key second, one for the worker's box first.
const KINDS: { variable: RingName; what: string; sql: string }[] = [
  {
    variable: 'PLUGIN_SECRETS_KEY',
    what: 'signing key of bills',
    sql: `(select split_part(sealed_key, '.', 2) from bill_keys order by created_at desc limit 1)`,
  },
  {
    variable: 'PLUGIN_SECRETS_KEY',
    what: 'credentials of plugins',
    sql: `select split_part(value ->> 'sealed', '.', 2) from plugins, jsonb_each(headers) where jsonb_typeof(value) = 'object'
      union all select split_part(sign_in -> 'clientSecret' ->> 'sealed', '.', 2) from plugins where sign_in ? 'clientSecret'`,
  },
  {
    variable: 'PLUGIN_SECRETS_KEY',
    what: 'secrets of webhooks',
    sql: `select split_part(one ->> 'sealed', '.', 1) from webhook_endpoints, jsonb_array_elements(secrets) one
      where deleted_at is null and ${live('one')}`,
  },
  {
    variable: 'PLUGIN_SECRETS_KEY',
    what: 'secrets of workspaces for plugins',
    sql: `select split_part(sealed, '.', 1) from plugin_secrets`,
  },
  {
    variable: 'PLUGIN_SECRETS_KEY',
    what: 'sign-ins to plugins',
    sql: `select split_part(sealed, '.', 1) from plugin_sign_ins
      union all select split_part(one, '.', 1) from plugin_sign_in_attempts, unnest(array[sealed, answer]) one where expires_at > now()`,
  },
  {
    variable: 'PLUGIN_SECRETS_KEY',
    what: 'secrets of HTTP tools',
    sql: `select split_part(one ->> 'sealed', '.', 1) from agent_tool_secrets, jsonb_array_elements(secrets) one where ${live('one')}`,
  },
  {
    variable: 'PLUGIN_SECRETS_KEY',
    what: 'addresses of audit exports',
    sql: `select split_part(sealed_url, '.', 1) from audit_exports`,
  },
  {
    variable: 'CATALOG_SECRETS_KEY',
    what: 'secrets of identity providers',
    sql: `select split_part(sealed_secret, '.', 2) from identity_providers where sealed_secret is not null`,
  },
  {
    variable: 'CATALOG_SECRETS_KEY',
    what: 'keys of upstreams',
    sql: `select split_part(sealed_key, '.', 2) from catalog_changes where sealed_key is not null`,
  },
  {
    variable: 'CONTENTS_KEY',
    what: 'contents of calls',
    sql: `select convert_from(substr(sealed, 1, 8), 'LATIN1') from request_contents where expires_at > now()`,
  },
];
