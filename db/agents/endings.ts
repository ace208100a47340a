import type { InferEntity } from '@mikro-orm/core';
import type { Agent } from '../entities/agent.ts';

/** What ends an agent: its publisher has taken it down, or it is deprecated. Times are in ISO 8601. */
export interface AgentEnding {
  takenDownAt: string | null;
  takenDownMessage: string | null;
  deprecatedAt: string | null;
  sunsetAt: string | null;
  /** The date of its end is over. */
  isRetired: boolean;
  /** The agent to use instead. */
  successor: string | null;
  deprecationMessage: string | null;
}

const IS_RETIRED = '(a.sunset_at is not null and a.sunset_at <= ledger_now(a.workspace_id))';

/** SQL: the `AgentEnding` of agent `a`, or null. */
export const ENDING = `
  case when a.taken_down_at is not null or a.deprecated_at is not null then json_build_object(
    'takenDownAt', a.taken_down_at, 'takenDownMessage', a.taken_down_message, 'deprecatedAt', a.deprecated_at, 'sunsetAt', a.sunset_at,
    'isRetired', ${IS_RETIRED}, 'successor', a.successor, 'deprecationMessage', a.deprecation_message) end`;

/** SQL: agent `a` takes new orders. */
export const TAKES_ORDERS = `a.taken_down_at is null and not ${IS_RETIRED}`;

type Ending = Pick<
  InferEntity<typeof Agent>,
  'takenDownAt' | 'takenDownMessage' | 'deprecatedAt' | 'sunsetAt' | 'successor' | 'deprecationMessage'
>;

/** The publisher's and the callers' view of a take-down; null: there is none. */
export const takenDownOf = ({
  takenDownAt,
  takenDownMessage,
}: Pick<AgentEnding, 'takenDownMessage'> & { takenDownAt: Date | string | null }) =>
  takenDownAt === null ? null : { at: isoOf(takenDownAt), message: takenDownMessage ?? '' };

/** The same of a deprecation. */
export const deprecationOf = (row: Ending | AgentEnding) =>
  row.deprecatedAt === null
    ? null
    : {
        deprecated_at: isoOf(row.deprecatedAt),
        sunset_at: isoOf(row.sunsetAt!),
        successor: row.successor,
        message: row.deprecationMessage,
      };

const isoOf = (time: Date | string): string => new Date(time).toISOString();
