/**
 * Where the rows of a table are when workspaces are divided over several databases ("groups"; docs/operate/scale.md).
 *
 * - `workspace`: with their workspace. Each table whose `workspace_id` is required is one without a line here.
 * - `parent`: with the row that they belong to, whose workspace is theirs.
 * - `mixed`: with their workspace, and rows of none in each group.
 * - `reference`: the same in each group.
 * - `directory`: once for all groups: the identity of a person, before a workspace is known.
 * - `group`: each group has its own.
 */
export type Place = 'parent' | 'mixed' | 'reference' | 'directory' | 'group';

const parent = (because: string) => ({ place: 'parent' as const, because });
const mixed = (because: string) => ({ place: 'mixed' as const, because });
const reference = (because: string) => ({ place: 'reference' as const, because });
const directory = (because: string) => ({ place: 'directory' as const, because });
const group = (because: string) => ({ place: 'group' as const, because });

const CATALOGUE = 'the catalogue';
const SECRETS = 'the secrets of the installation';
const PEOPLE = 'a person may be a member of workspaces in several groups';
const PROCESSES = 'the work of processes, which write to one database';
const OWN_MONTHS = 'a group opens, seals and drops its own months';

/** Every table without a required `workspace_id`. A new one needs a line. */
export const PLACES: Record<string, { place: Place; because: string }> = {
  workspaces: parent('a workspace is in the group of its own id; a test workspace with its live one'),
  event_mails: parent('an event of a workspace'),
  key_notices: parent('a key'),
  request_progress: parent('a hold of a workspace'),
  topup_reversals: parent('a payment, found by the id that Stripe gave it'),
  ledger_carried: parent('an account, a key or a project; those of the house in each group'),
  ledger_carried_ranges: parent('an account'),

  accounts: mixed('accounts of the house: each group has its own, and their sums are the sums of all groups'),
  ledger_legs: mixed('legs of the house are in the group of their transaction'),
  audit_entries: mixed('what operators did to the installation'),
  device_logins: mixed('a login whose workspace is not chosen yet'),

  agent_model_choices: reference(CATALOGUE),
  catalog_changes: reference(CATALOGUE),
  catalog_prices: reference(CATALOGUE),
  model_prices: reference(CATALOGUE),
  offered_tools: reference(CATALOGUE),
  plugins: reference(CATALOGUE),
  upstream_costs: reference(CATALOGUE),
  bill_keys: reference('bills of all groups are verified with the same keys'),
  key_rotations: reference(SECRETS),
  secrets: reference(SECRETS),
  secret_versions: reference(SECRETS),
  webhook_keys: reference(SECRETS),

  credentials: directory(PEOPLE),
  passkeys: directory(PEOPLE),
  throttles: directory('sign-ins are counted before a workspace is known'),
  two_factors: directory(PEOPLE),
  user_sessions: directory(PEOPLE),
  users: directory(PEOPLE),
  verifications: directory(PEOPLE),

  archive_files: group(OWN_MONTHS),
  archive_moves: group(OWN_MONTHS),
  bill_roots: group('a root covers the accounts of its group'),
  invoice_series: group('a series of invoices has no gaps, so each group numbers its own'),
  ledger_checks: group('a check reads its group'),
  ledger_months: group(OWN_MONTHS),
  mikro_orm_migrations: group('a group is migrated by itself'),
  payment_events: group('Stripe tells of an event once; its receiver passes it to the group of its payment'),
  processes: group(PROCESSES),
  revenue_days: group('sums of a group; the sum of all is the sum of these'),
  revenue_rollups: group('how far a group is summed'),
  settlement_batches: group(PROCESSES),
  test_mails: group('the mails of a trial'),
};

/**
 * Why an index that does not contain the workspace is unique among all of them.
 *
 * - `parent`: it begins with the id of a row of the same workspace.
 * - `random`: the value is random, or chosen by Stripe: no rule makes it unique.
 * - `everywhere`: one workspace of all may have it, and which one is looked up by it: it belongs in the directory.
 * - `group`: it is unique in each group.
 */
export type Uniqueness = 'parent' | 'random' | 'everywhere' | 'group';

const ofRow = { is: 'parent' as const };
const random = (because: string) => ({ is: 'random' as const, because });
const everywhere = (because: string) => ({ is: 'everywhere' as const, because });
const ofGroup = (because: string) => ({ is: 'group' as const, because });

const STRIPE = 'an id of Stripe';
const HASH = 'the hash of a random text';

/** Every unique index of a workspace's table without the workspace, except for primary keys that are a random `id`. */
export const UNIQUE: Record<string, { is: Uniqueness; because?: string }> = {
  accounts_workspace_id_unique: { is: 'parent', because: 'null for accounts of the house' },
  agent_channels_pkey: ofRow,
  agent_tool_secrets_pkey: ofRow,
  agent_versions_agent_label_unique: ofRow,
  agent_versions_agent_number_unique: ofRow,
  agents_namespace_slug_unique: ofRow,
  answer_parts_pkey: ofRow,
  api_keys_hash_unique: everywhere('a call is known by its key alone'),
  batch_parts_open_index: ofRow,
  batch_replies_pkey: ofRow,
  batch_results_pkey: ofRow,
  bill_days_day_place_unique: ofGroup('a place in the tree of a day, whose root is its group’s'),
  client_secrets_hash_unique: everywhere('a call is known by its secret alone'),
  deployments_live_unique: ofRow,
  deployments_review_unique: ofRow,
  deployments_rollout_unique: ofRow,
  device_logins_device_hash_unique: random(HASH),
  device_logins_user_hash_unique: everywhere('a short code that a person types before a workspace is known'),
  evaluation_results_pkey: ofRow,
  evaluation_sets_pkey: ofRow,
  file_chunks_pkey: ofRow,
  file_objects_pkey: ofRow,
  flow_places_pkey: ofRow,
  invoices_series_sequence_unique: ofGroup('the series of a group'),
  key_days_pkey: ofRow,
  ledger_legs_pkey: { is: 'parent', because: 'the call, run or payment of the entry; a settlement of a group' },
  mail_domains_verified_index: everywhere('a mail domain is of one workspace, which is found by it at sign-in'),
  namespaces_pkey: everywhere('the name of a publisher is in the addresses of its agents'),
  payment_customers_customer_id_unique: random(STRIPE),
  payment_taxes_pkey: random(STRIPE),
  plugin_sign_in_attempts_state_hash_unique: random(HASH),
  project_days_pkey: ofRow,
  replaced_bills_pkey: ofRow,
  request_contents_pkey: ofRow,
  request_retries_pkey: ofRow,
  review_trials_pkey: ofRow,
  rotated_secrets_pkey: everywhere('a call is known by its earlier key alone'),
  run_events_pkey: ofRow,
  run_feedback_pkey: ofRow,
  run_meters_pkey: ofRow,
  run_shares_pkey: ofRow,
  run_steps_pkey: ofRow,
  run_usage_pkey: ofRow,
  schedule_firings_workflow_index: ofRow,
  session_entries_name_unique: ofRow,
  session_states_pkey: ofRow,
  topups_payment_intent_unique: random(STRIPE),
  topups_session_id_unique: random(STRIPE),
  webhook_deliveries_event_index: ofRow,
};

/** What the triggers of a workspace's table touch: rows of the same workspace or ledger transaction, or a counter of the group. */
export const TRIGGERS: Record<string, 'the row' | 'its workspace' | 'its transaction' | 'a counter of the group'> = {
  agent_versions_refuse_change: 'the row',
  agent_versions_refuse_update: 'the row',
  audit_entries_refuse_change: 'the row',
  audit_entries_refuse_update: 'the row',
  event_position: 'a counter of the group',
  ledger_refuse_change: 'the row',
  ledger_refuse_unbalanced: 'its transaction',
  ledger_refuse_unmatched: 'its transaction',
  product_of_earlier_call: 'the row',
  webhooks_of_platform_event: 'its workspace',
  webhooks_of_run_event: 'its workspace',
};

/** Counters: a group counts for itself, and nothing compares numbers of two groups. */
export const SEQUENCES: Record<string, string> = {
  event_positions: 'a stream of events is of one workspace',
  ledger_transaction_ids: 'a transaction is in one group',
  mikro_orm_migrations_id_seq: 'a group is migrated by itself',
};

/** Tables divided by something else than the workspace, inside of each group. */
export const DIVIDED: Record<string, string> = {
  answer_parts: 'LIST (slot)',
  ledger_legs: 'RANGE (subject)',
  requests: 'RANGE (id)',
};
