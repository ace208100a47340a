import { apart } from '../../parts/apart.ts';
import type { Usd } from '../../parts/nanos.ts';
import { usdText } from '../../parts/usdText.ts';
import { changesOf, fieldName, type AuditRow, type Change } from './changes.ts';

type Sentence = (row: AuditRow) => string;

/** What happened, as a sentence without its subject: “revoked the key ‘prod’”. */
export const deedOf = (row: AuditRow): string => SENTENCES[row.action]?.(row) ?? fallbackOf(row);

/** Who did it. */
export const actorNameOf = ({ by, user_id: user, key_id: key }: AuditRow): string =>
  by ?? (key === 'system' ? null : (user ?? key)) ?? 'The platform';

export const sentenceOf = (row: AuditRow): string => `${apart(actorNameOf(row))} ${deedOf(row)}`;

/** An action without a sentence, in words: “did ‘rename workspace’ to ws_1”. */
const fallbackOf = ({ action, subject_name: name, subject_id: id }: AuditRow): string =>
  `did “${fieldName(action)}” with ${name ? quoted(name) : id}`;

const quoted = (text: string): string => `“${apart(text)}”`;
const member = ({ detail }: AuditRow, name: string): string | undefined => {
  const value = detail[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};
const inner = (row: AuditRow, part: 'before' | 'after', name: string): string | undefined => {
  const of = row.detail[part];
  const value = typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
};
/** The subject by its name, or as “a key”. */
const named = (row: AuditRow, kind: string): string => {
  const name = row.subject_name ?? inner(row, 'after', 'name') ?? member(row, 'name');
  return name ? `the ${kind} ${quoted(name)}` : `a ${kind}`;
};
const where = ({ workspace_name: name }: AuditRow): string => (name ? ` of ${apart(name)}` : '');
const money = (row: AuditRow): string => usdText((member(row, 'amount_usd') ?? '0').replace('-', '') as Usd);

/** `the spend limit of the key “prod” from $50.00 to $100.00`, with a verb that says which way. */
function changed(row: AuditRow, kind: string): string {
  const changes = changesOf(row);
  const what = named(row, kind);
  if (changes.length === 0) return `saved ${what} without a change`;
  if (changes.length > 1) return `changed ${listed(changes.map(({ field }) => field))} of ${what}`;
  const [one] = changes as [Change];
  if (one.before === undefined) return `set the ${one.field} of ${what} to ${one.after}`;
  if (one.after === 'none') return `removed the ${one.field} of ${what}, which was ${one.before}`;
  if (one.before === 'none') return `set the ${one.field} of ${what} to ${one.after}`;
  return `${verbOf(one)} the ${one.field} of ${what} from ${one.before} to ${one.after}`;
}

/** Numbers and amounts are raised or lowered. */
function verbOf({ before, after }: Change): string {
  const [old, fresh] = [before, after].map((text) => Number(text?.replaceAll(/[$,]/g, '').replace('−', '-')));
  if (!Number.isFinite(old) || !Number.isFinite(fresh)) return 'changed';
  return fresh! > old! ? 'raised' : 'lowered';
}

const NAMES_MAX = 3;

/** `name, scopes and expiry`; of many, the first ones. */
function listed(names: string[]): string {
  const shown = names.length > NAMES_MAX ? [...names.slice(0, NAMES_MAX), `${names.length - NAMES_MAX} more`] : names;
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const of =
  (verb: string, kind: string): Sentence =>
  (row) =>
    `${verb} ${named(row, kind)}${where(row)}`;
const says =
  (text: string): Sentence =>
  () =>
    text;
const about =
  (text: string): Sentence =>
  (row) =>
    `${text}${where(row)}`;

const KEYS: Record<string, Sentence> = {
  create_key: (row) => `created ${named(row, 'key')}${limitOf(row)}`,
  change_key: (row) => changed(row, 'key'),
  rotate_key: (row) =>
    `rotated ${named(row, 'key')}${Number(row.detail.grace_seconds) > 0 ? '; the old secret works for a while' : ''}`,
  revoke_key: of('revoked', 'key'),
  derive_key: (row) => `derived ${named(row, 'key')} from another key`,
  approve_device_login: (row) => `gave ${programOf(row)} a key${where(row)} by device login`,
  deny_device_login: (row) => `denied ${programOf(row)} a key`,
};

const programOf = (row: AuditRow): string => {
  const name = member(row, 'client_name');
  return name ? `the program ${quoted(name)}` : 'a program';
};

const limitOf = (row: AuditRow): string => {
  const usd = inner(row, 'after', 'spend_limit_usd');
  return usd ? ` with a limit of ${usdText(usd as Usd)}` : '';
};

const PEOPLE: Record<string, Sentence> = {
  change_password: says('changed their password'),
  reset_password: says('set a new password by mail'),
  request_address_change: says('asked to change their mail address'),
  begin_second_factor: says('began to set up a second factor'),
  enable_second_factor: says('turned their second factor on'),
  disable_second_factor: says('turned their second factor off'),
  renew_recovery_codes: says('made new recovery codes'),
  add_passkey: says('added a passkey'),
  remove_passkey: says('removed a passkey'),
  make_sign_in_link: (row) => `made a link that signs in ${row.subject_name ?? row.subject_id}`,
  grant_operator: (row) => `made ${row.subject_name ?? row.subject_id} an operator`,
  withdraw_operator: (row) => `took the rights of an operator from ${row.subject_name ?? row.subject_id}`,
  sign_in_stopped: (row) => `stopped attempts to sign in as ${row.subject_name ?? row.subject_id}`,
  invite_member: (row) => `invited ${member(row, 'email') ?? 'a person'} as ${member(row, 'role') ?? 'a member'}`,
  cancel_invitation: says('took an invitation back'),
  accept_invitation: (row) => `joined ${row.workspace_name ?? 'the workspace'}`,
  change_role: (row) => `changed the role of a member to ${member(row, 'role') ?? 'another one'}`,
  remove_member: about('removed a member'),
  leave_workspace: (row) => `left ${row.workspace_name ?? 'the workspace'}`,
};

const MONEY: Record<string, Sentence> = {
  change_auto_topup: (row) => {
    const changes = changesOf(row);
    const enabled = changes.find(({ name }) => name === 'enabled');
    if (enabled)
      return `turned automatic top-up ${enabled.after === 'yes' ? 'on' : 'off'}${row.workspace_name ? ` for ${row.workspace_name}` : ''}`;
    return changed({ ...row, subject_name: null, detail: row.detail }, 'top-up setting').replace(
      'a top-up setting',
      'automatic top-up',
    );
  },
  request_adjustment: (row) => `proposed ${adjustmentOf(row)}`,
  approve_adjustment: (row) => `approved ${adjustmentOf(row)}`,
  reject_adjustment: (row) => `rejected ${adjustmentOf(row)}`,
  request_payout: (row) => `asked to pay out ${money(row)} of earnings${where(row)}`,
  send_payout: (row) => `confirmed the transfer of ${money(row)}${where(row)}`,
  reject_payout: (row) => `rejected the payout of ${money(row)}${where(row)}`,
  grant_subsidy: about('granted a subsidy to an agent'),
  revoke_subsidy: about('withdrew the subsidy of an agent'),
  create_alert: about('created an alert'),
  change_alert: (row) => changed(row, 'alert'),
  delete_alert: about('deleted an alert'),
  create_flow_rule: about('created a flow rule'),
  change_flow_rule: (row) => changed(row, 'flow rule'),
  delete_flow_rule: about('deleted a flow rule'),
};

const adjustmentOf = (row: AuditRow): string => {
  const isLess = Number(row.detail.amount_usd) < 0;
  const name = row.workspace_name ?? 'a workspace';
  return isLess ? `a debit of ${money(row)} from ${name}` : `a credit of ${money(row)} for ${name}`;
};

const AGENTS: Record<string, Sentence> = {
  approve: about('approved a submission'),
  request_changes: about('asked for changes of a submission'),
  reject: about('rejected a submission'),
  suspend: about('suspended a public agent'),
  reinstate: about('reinstated a public agent'),
  create_agent_alert: about('set an alert on an agent'),
  change_agent_alert: about('changed an alert on an agent'),
  delete_agent_alert: about('deleted an alert on an agent'),
  share_run: about('shared a run with the publisher of its agent'),
  revoke_run_share: about('stopped sharing a run'),
  withdraw: about('withdrew a submission'),
  comment: about('commented on a submission'),
  plan_rollout: about('planned a rollout'),
  promote_rollout: about('gave a version to everybody'),
  roll_back_rollout: about('took a rollout back'),
  roll_back: about('went back to an earlier version of an agent'),
  move_channel: (row) => `moved the channel ${quoted(member(row, 'channel') ?? '')} of an agent${where(row)}`,
  remove_channel: (row) => `removed the channel ${quoted(member(row, 'channel') ?? '')} of an agent${where(row)}`,
  take_down: about('took an agent down'),
  restore: about('restored an agent that was taken down'),
  deprecate: about('deprecated an agent'),
  undeprecate: about('ended the deprecation of an agent'),
  delete_agent: (row) => `deleted the agent ${quoted(member(row, 'agent') ?? row.subject_id)}${where(row)}`,
  delete_version: (row) =>
    `deleted version ${member(row, 'version') ?? member(row, 'version_number') ?? 'one'} of an agent${where(row)}`,
  verify: (row) => `verified the provider of ${quoted(row.subject_id)}`,
  unverify: (row) => `withdrew the verification of ${quoted(row.subject_id)}`,
  review_reminder: about('reminded operators of a submission'),
  review_escalation: about('warned that a submission waits too long'),
  read_submission: about('looked at a submission'),
  read_run_steps: about('looked at the steps of a run'),
  find_by_id: (row) => `searched for a ${fieldName(row.subject_type)}${where(row)}`,
  find_member: (row) => `searched for ${row.subject_name ?? 'a member'}${where(row)}`,
};

const WORK: Record<string, Sentence> = {
  create_schedule: of('created', 'schedule'),
  change_schedule: (row) => changed(row, 'schedule'),
  pause_schedule: (row) => `paused a schedule${where(row)}${member(row, 'note') ? `: ${member(row, 'note')}` : ''}`,
  resume_schedule: about('resumed a schedule'),
  delete_schedule: about('deleted a schedule'),
  create_webhook_endpoint: (row) => `added the webhook endpoint ${inner(row, 'after', 'url') ?? ''}`.trimEnd(),
  change_webhook_endpoint: (row) => changed(row, 'webhook endpoint'),
  delete_webhook_endpoint: about('deleted a webhook endpoint'),
  create_tool_secret: about('made the signing secret of an agent’s HTTP tools'),
  rotate_tool_secret: about('gave an agent’s HTTP tools a new signing secret'),
  rotate_webhook_secret: about('gave a webhook endpoint a new secret'),
  set_plugin_secrets: (row) => `set secrets of the plugin ${quoted(row.subject_id)}${where(row)}`,
  delete_plugin_secrets: (row) => `deleted the secrets of the plugin ${quoted(row.subject_id)}${where(row)}`,
  sign_in_to_plugin: (row) => `signed in to the plugin ${quoted(row.subject_id)}`,
  disconnect_plugin: (row) => `signed out of the plugin ${quoted(row.subject_id)}`,
  export_workspace: about('downloaded everything'),
  order_erasure: about('ordered the erasure'),
  cancel_erasure: about('took back the erasure'),
  erase_workspace: about('erased everything'),
};

const CATALOG: Record<string, Sentence> = {
  add_catalog_model: (row) => `added the model ${quoted(row.subject_id)}`,
  change_catalog_model: (row) => changed({ ...row, subject_name: row.subject_id }, 'model'),
  return_catalog_model: (row) => `took back the changes of the model ${quoted(row.subject_id)}`,
  add_catalog_upstream: (row) => `added the upstream ${quoted(row.subject_id)}`,
  change_catalog_upstream: (row) => changed({ ...row, subject_name: row.subject_id }, 'upstream'),
  return_catalog_upstream: (row) => `took back the changes of the upstream ${quoted(row.subject_id)}`,
  choose_agent_model: (row) => `gave agents the model ${quoted(row.subject_id)}`,
  await_agent_model: (row) => `had the model ${quoted(row.subject_id)} fetched for agents`,
  stop_awaiting_agent_model: (row) => `ended the fetch of the model ${quoted(row.subject_id)} for agents`,
  return_agent_model: (row) => `took the model ${quoted(row.subject_id)} from agents again`,
  set_first_price: (row) => `set the first price${forModel(row)}`,
  propose_price: (row) => `proposed a price${forModel(row)}`,
  approve_price: (row) => `approved a price${forModel(row)}`,
  reject_price: (row) => `rejected a price${forModel(row)}`,
  withdraw_price: (row) => `withdrew a price${forModel(row)}`,
  state_upstream_cost: (row) =>
    `stated what ${member(row, 'upstream') ?? 'an upstream'} costs for ${quoted(row.subject_id)}`,
};

const forModel = (row: AuditRow): string => {
  const model = member(row, 'model');
  return model ? ` of the model ${quoted(model)}` : '';
};

const WORKSPACES: Record<string, Sentence> = {
  create_workspace: of('created', 'workspace'),
  change_workspace: (row) => changed(row, 'workspace'),
  change_billing_details: about('changed the billing details'),
  remove_provider: () => 'removed a sign-in with a provider',
  add_provider: (row) => `added a sign-in with ${member(row, 'provider') ?? 'a provider'}`,
  sign_in: (row) => `signed in${member(row, 'method') ? ` with ${member(row, 'method')}` : ''}`,
  create_project: of('created', 'project'),
  change_project: (row) => changed(row, 'project'),
  archive_project: of('archived', 'project'),
  restore_project: of('restored', 'project'),
  limit_member: about('limited a member to projects'),
  read_content: about('read a kept prompt and answer'),
  delete_content: about('deleted a kept prompt and answer'),
  delete_contents: about('deleted the kept prompts and answers'),
  delete_memory: about('deleted a memory of a user'),
  delete_memories: about('deleted the memories of a user'),
};

const domainIn = (row: AuditRow): string => {
  const domain = member(row, 'domain');
  return domain ? `the mail domain ${quoted(domain)}` : 'a mail domain';
};

const SIGN_IN: Record<string, Sentence> = {
  add_identity_provider: about('set up the identity provider'),
  change_identity_provider: about('changed the identity provider'),
  remove_identity_provider: about('removed the identity provider'),
  enforce_single_sign_on: about('enforced single sign-on'),
  release_single_sign_on: about('no longer enforces single sign-on'),
  add_mail_domain: (row) => `claimed ${domainIn(row)}`,
  verify_mail_domain: (row) => `proved ${domainIn(row)}`,
  remove_mail_domain: (row) => `gave up ${domainIn(row)}`,
  change_session_rules: about('changed the rules of sessions'),
  break_glass_sign_in: about('signed in past the identity provider'),
  sso_add_member: about('became a member by the identity provider'),
  sso_change_role: about('got another role by the identity provider'),
  sso_remove_member: about('lost the membership by the identity provider'),
  sso_keep_last_owner: about('stayed the last owner, whatever the identity provider says'),
  add_audit_export: about('set up the export of the audit'),
  change_audit_export: about('changed the export of the audit'),
  remove_audit_export: about('ended the export of the audit'),
};

/** Every action that the product records. */
export const SENTENCES: Record<string, Sentence> = {
  ...KEYS,
  ...PEOPLE,
  ...MONEY,
  ...AGENTS,
  ...WORK,
  ...CATALOG,
  ...WORKSPACES,
  ...SIGN_IN,
};
