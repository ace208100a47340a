import type { Client } from 'pg';

/** A text that a person may have written. */
export const MARKER = 'Words of Ada';

export interface Column {
  name: string;
  type: string;
}

/** Whether a row, as JSON text, contains it, also as bytes. */
export const isMarked = (row: string): boolean =>
  row.includes(MARKER) || row.includes(Buffer.from(MARKER).toString('hex'));

/** The columns of every table with rows of workspaces. */
export async function columnsOf(owner: Client): Promise<Map<string, Column[]>> {
  const { rows } = await owner.query<Column & { table: string }>(`
select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id') order by 1, a.attnum`);
  const tables = Map.groupBy(rows, ({ table }) => table);
  return new Map([...tables].map(([table, own]) => [table, own.map(({ name, type }) => ({ name, type }))]));
}

/**
 * Columns with ids, words of a closed list or hashes, but no personal text, in tables whose rows are kept. A new column of such a table is
 * listed here, or replaced in `db/erasure/fates.ts`.
 */
const FACTS: Record<string, string> = {
  accounts: 'kind',
  adjustments: 'reason status requested_by requester decided_by decider',
  agent_versions: 'label',
  agents: 'namespace slug',
  api_keys: 'hash scopes spend_limit_period ancestors project_id origin',
  audit_entries: 'action subject_type',
  bill_days: 'leaf chunks',
  deployments: 'visibility status rollout_state rollout_steps',
  holds: 'kind state project_id',
  // An invoice keeps whom it was for.
  invoices: 'month number seller customer lines',
  ledger_legs: 'kind subject hash',
  payment_taxes: 'kind subject reason',
  namespaces: 'name',
  payouts: 'destination status reference reason requested_by decided_by decider',
  project_days: 'project_id',
  projects: 'spend_limit_period',
  replaced_bills: 'model route usage',
  requests: 'route model usage upstream routing finish_reason product project_id account_id hash',
  rotated_secrets: 'hash',
  run_meters: 'meter',
  run_usage: 'meter unit',
  runs: 'agent version visibility status fault on_limit on_disconnect if_session_busy source webhook_events rate_card meters cancel_mode rerun_of project_id',
  topups: 'origin payment_intent status',
  usage_hours: 'model route units product project_id',
  // The erasure's audit entry names the voices for an operator to remove at the vendor.
  voices: 'upstream_ids',
};

/** Values that the table's checks require. */
const VALUES: Record<string, Record<string, unknown>> = {
  answer_parts: { slot: 0 },
  adjustments: { status: 'pending' },
  alerts: { kind: 'spend', period: 'daily', days: null, percentages: '{50}', project_id: null },
  agent_alerts: { kind: 'failures' },
  api_keys: { spend_limit_period: 'daily', log_days: 7, origin: 'device_login' },
  balance_notices: { level: 'low' },
  batches: { status: 'completed' },
  deployment_comments: { author: 'publisher' },
  deployments: { visibility: 'private', status: 'withdrawn', rollout_state: 'complete' },
  device_logins: { state: 'denied' },
  evaluation_results: { status: 'passed' },
  evaluation_runs: { status: 'passed' },
  file_uploads: { status: 'completed' },
  flow_places: { kind: 'rate' },
  flow_rules: { rate_exceeded: 'queue' },
  audit_exports: { period: 'hour' },
  identity_providers: { kind: 'oidc', default_role: 'owner' },
  holds: { kind: 'run', state: 'released' },
  members: { role: 'owner' },
  payouts: { status: 'paid', destination: 'balance', reference: null },
  plugin_sign_in_attempts: { state: 'failed' },
  plugin_sign_ins: { state: 'connected' },
  projects: { spend_limit_period: 'daily' },
  requests: { product: 'text' },
  review_trials: { kind: 'example' },
  run_steps: { kind: 'model', state: 'completed' },
  runs: { status: 'completed', subtotal_nanos: 1, network_fee_nanos: 1, total_nanos: 2, max_cost_nanos: 9 },
  save_operations: { state: 'saved', recovery: 'none' },
  schedule_firings: { outcome: 'started' },
  schedules: { every_seconds: null, overlap: 'skip', pause_reason: 'requested' },
  session_entries: { kind: 'file' },
  topups: { origin: 'checkout', status: 'paid', refunded_nanos: 0, disputed_nanos: 0 },
  webhook_deliveries: { status: 'delivered' },
  webhook_endpoints: { disabled_reason: 'gone' },
};

/** A row of a workspace for a table. Ids refer to the workspace's row in the table of that name. */
export function rowFor(table: string, columns: Column[], workspaceId: string): Record<string, unknown> {
  const facts = new Set((FACTS[table] ?? '').split(' '));
  const entries = columns.map((column): [string, unknown] => {
    const { name } = column;
    if (name === 'workspace_id' || name === 'publisher_workspace_id') return [name, workspaceId];
    const given = VALUES[table];
    if (given && name in given) return [name, given[name]];
    return [name, valueOf(column, { table, workspaceId, isFact: facts.has(name) })];
  });
  return Object.fromEntries(entries);
}

function valueOf(
  { name, type }: Column,
  { table, workspaceId, isFact }: { table: string; workspaceId: string; isFact: boolean },
): unknown {
  const text = isFact ? `${name} ${workspaceId}` : `${MARKER} ${name} ${workspaceId}`;
  switch (type) {
    case 'text':
      return isId(name) ? idOf(name, table, workspaceId) : text;
    case 'json':
    case 'jsonb':
      return JSON.stringify(isFact ? {} : { text });
    case 'text[]':
      return [text];
    case 'bytea':
      return Buffer.from(text);
    case 'boolean':
      return false;
    case 'timestamp with time zone':
    case 'date':
      return new Date();
    default:
      return numberOf(workspaceId);
  }
}

const numbers = new Map<string, number>();

/** Another number for each workspace, small enough for a percentage. */
function numberOf(workspaceId: string): number {
  if (!numbers.has(workspaceId)) numbers.set(workspaceId, numbers.size + 1);
  return numbers.get(workspaceId)!;
}

const isId = (name: string): boolean => name === 'id' || name.endsWith('_id');

const SINGULAR: Record<string, string> = { batches: 'batch' };

function idOf(name: string, table: string, workspaceId: string): string {
  if (name === 'id') return `${SINGULAR[table] ?? table.replace(/s$/, '')} ${workspaceId}`;
  return `${name.slice(0, -'_id'.length)} ${workspaceId}`;
}
