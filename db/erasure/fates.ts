/** How an erasure treats a workspace's rows in a table. */
export type Fate = Erased | Kept;

/** All rows are deleted, found by an index by workspace or by their parents' ids. */
interface Erased {
  fate: 'erased';
  by?: { parent: 'runs' | 'files' | 'sessions' | 'batches' | 'schedules'; column: string };
  /** Its rows name objects of the file store, which are removed before the rows. */
  isInStore?: boolean;
}

/** The rows stay for the reason `because`, and `replaced` columns get these expressions. */
interface Kept {
  fate: 'kept';
  because: string;
  replaced?: Record<string, string>;
  /** The workspace's column. */
  owner?: string;
}

const erased: Fate = { fate: 'erased' };
const ofRuns: Fate = { fate: 'erased', by: { parent: 'runs', column: 'run_id' } };
const ofSessions: Fate = { fate: 'erased', by: { parent: 'sessions', column: 'session_id' } };
const ofBatches: Fate = { fate: 'erased', by: { parent: 'batches', column: 'batch_id' } };

const kept = (because: string, replaced?: Kept['replaced'], owner?: string): Fate => ({
  fate: 'kept',
  because,
  replaced,
  owner,
});

const MONEY = 'the ledger and its chain';
const BILLS = 'the bills';
const PUBLISHED = 'the runs and earnings that refer to it';

// The prices stay: runs of other workspaces were billed by them.
const bareConfiguration = (
  column: string,
) => `jsonb_build_object('name', 'Erased agent', 'description', '', 'instructions', '',
  'tools', '[]'::jsonb, 'plugins', '[]'::jsonb, 'pricing', ${column} -> 'pricing', 'icon_file_id', null, 'categories', '[]'::jsonb,
  'example_prompts', '[]'::jsonb)`;

/**
 * Every table with rows of workspaces, and their treatment by an erasure. Rows are deleted in this order: children before their parents.
 * A new table with a `workspace_id` needs a line here.
 */
export const FATES: Record<string, Fate> = {
  answer_parts: kept('ten minutes, then the table is emptied'),
  call_claims: erased,
  idempotency_keys: erased,
  response_items: erased,
  file_uploads: erased,
  refused_calls: erased,
  request_contents: erased,
  run_steps: ofRuns,
  run_events: ofRuns,
  run_feedback: ofRuns,
  run_quotes: erased,
  flow_rules: erased,
  flow_places: erased,
  flow_queues: erased,
  run_shares: erased,
  agent_hours: erased,
  agent_rollups: erased,
  agent_alerts: erased,
  run_meters: kept(BILLS),
  run_usage: kept(BILLS),
  runs: kept(BILLS, {
    input: `'null'::jsonb`,
    output: `'[]'::jsonb`,
    response_format: 'null',
    required_action: 'null',
    required_actions: 'null',
    cancel_reason: 'null',
    status_reason: 'null',
    error: 'null',
    limit: 'null',
    metadata: `'{}'::jsonb`,
    flow: 'null',
    end_user: 'null',
    webhook_url: 'null',
    agent_name: `case when publisher_workspace_id = workspace_id then 'Erased agent' else agent_name end`,
    content_deleted_at: 'coalesce(content_deleted_at, now())',
    deleted_at: 'coalesce(deleted_at, now())',
  }),
  batch_replies: { fate: 'erased' },
  batch_results: ofBatches,
  batch_parts: ofBatches,
  batches: erased,
  schedule_firings: { fate: 'erased', by: { parent: 'schedules', column: 'schedule_id' } },
  schedules: erased,
  file_objects: { fate: 'erased', isInStore: true },
  file_chunks: { fate: 'erased', by: { parent: 'files', column: 'file_id' } },
  session_entries: ofSessions,
  entry_revisions: erased,
  save_operations: ofSessions,
  session_states: ofSessions,
  sessions: erased,
  memories: erased,
  files: erased,
  voices: erased,
  speech_history: erased,
  webhook_attempts: erased,
  webhook_deliveries: erased,
  webhook_endpoints: erased,
  platform_events: erased,
  balance_notices: erased,
  alerts: erased,
  billing_details: erased,
  invoice_marks: erased,
  client_secrets: erased,
  device_logins: erased,
  plugin_secrets: erased,
  agent_tool_secrets: erased,
  http_tool_tests: erased,
  plugin_sign_ins: erased,
  plugin_sign_in_attempts: erased,
  agent_channels: erased,
  deployment_comments: erased,
  review_trials: erased,
  evaluation_sets: erased,
  evaluation_runs: erased,
  evaluation_results: erased,
  payment_customers: erased,
  identity_providers: erased,
  mail_domains: erased,
  session_rules: erased,
  audit_exports: erased,
  invitations: erased,
  members: erased,
  accounts: kept(MONEY),
  ledger_legs: kept(MONEY),
  holds: kept(MONEY),
  bill_days: kept(MONEY),
  replaced_bills: kept(MONEY),
  key_days: kept(MONEY),
  project_days: kept(MONEY),
  projects: kept(BILLS, { name: `'erased'` }),
  adjustments: kept('the reason of each change of a balance'),
  payouts: kept(MONEY, { requester: `'erased'`, sources: 'null' }),
  invoices: kept('invoices are kept as tax law asks, with what they say'),
  payment_taxes: kept(MONEY),
  topups: kept(MONEY, { receipt_url: 'null' }),
  requests: kept(BILLS),
  request_retries: kept(BILLS),
  usage_hours: kept(BILLS),
  usage_rollups: kept(BILLS),
  api_keys: kept(BILLS, {
    name: `'erased'`,
    prefix: `'erased'`,
    created_by: 'null',
    owner_user_id: 'null',
    member_user_id: 'null',
    allowed_ips: 'null::text[]',
    allowed_agents: 'null::text[]',
  }),
  rotated_secrets: kept('hashes, so that no secret is issued twice'),
  namespaces: kept('its name is never given to another workspace', {
    provider_name: `'Erased'`,
    website: 'null',
    verified: 'false',
  }),
  agents: kept(PUBLISHED, {
    draft: bareConfiguration('draft'),
    taken_down_message: 'null',
    successor: 'null',
    deprecation_message: 'null',
  }),
  agent_versions: kept(PUBLISHED, { configuration: bareConfiguration('configuration') }),
  deployments: kept(PUBLISHED, {
    review_feedback: `'[]'::jsonb`,
    rollout_reason: 'null',
    test_review: 'null',
    // No review waits for a decision about it.
    status: `case status when 'in_review' then 'withdrawn' else status end`,
  }),
  audit_entries: kept('who did what', { detail: `'{}'::jsonb` }),
  erasures: kept('the proof of the erasure'),
  workspaces: kept('the names of its rows', { name: `'Erased workspace'`, logo_file_id: 'null' }, 'id'),
};
