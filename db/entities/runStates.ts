// Free of the ORM: modules that are loaded at start import these.

/** The final statuses of a run. */
export const FINAL_STATUSES = ['completed', 'limit_reached', 'cancelled', 'failed'] as const;

export type FinalStatus = (typeof FINAL_STATUSES)[number];

/**
 * The statuses of a run, in order; the last four are final.
 *
 *   queued -> in_progress, cancelled, failed (its agent is suspended)
 *   in_progress -> requires_action, cancelling, final
 *   requires_action -> in_progress (answered), cancelling, final (no answer in time)
 *   cancelling -> cancelled, completed (the result came first)
 */
export const RUN_STATUSES = ['queued', 'in_progress', 'requires_action', 'cancelling', ...FINAL_STATUSES] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** Whether a status is final. */
export const isTerminal = (status: RunStatus): status is FinalStatus =>
  (FINAL_STATUSES as readonly RunStatus[]).includes(status);

/** The kinds of input a run may wait for: an answer, an approval, a higher limit, or something a plugin needs from its workspace. */
export const REQUIRED_ACTION_TYPES = [
  'text',
  'form',
  'tool_approval',
  'raise_limit',
  'plugin_secret',
  'plugin_sign_in',
] as const;

type RequiredActionType = (typeof REQUIRED_ACTION_TYPES)[number];

/** The input a run waits for. `answer` is the caller's input; only the workflow reads it. */
export type RequiredAction = { type: RequiredActionType; answer?: object } & Record<string, unknown>;

/** The events that end a run, each named by its final status. */
export const LAST_EVENT_TYPES = FINAL_STATUSES.map((status) => `run.${status}` as const);

/** Whose fault a failed run is. */
export const FAULTS = ['platform', 'provider', 'agent', 'caller'] as const;

/** SQL: our own names as a list for `in`. */
export const sqlListOf = (names: readonly string[]): string => `('${names.join("', '")}')`;

/** The ended runs of an agent, and the few failed ones among them. */
export const AGENT_RUN_INDEXES = [
  {
    name: 'runs_agent_settled_index',
    expression: 'create index runs_agent_settled_index on runs (agent_id, settled_at) where settled_at is not null',
  },
  {
    name: 'runs_agent_failed_index',
    expression: 'create index runs_agent_failed_index on runs (agent_id, settled_at) where fault is not null',
  },
];
