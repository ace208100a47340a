import { CHANNEL_NAME, releaseIn } from '../../base/agentNames.ts';
import type { AnyRows } from '../postgres/rows.ts';
import type { AgentConfiguration } from './configuration.ts';

/** A channel in the callers' view. */
export interface PublicChannel {
  name: string;
  versionId: string;
  version: string;
  configuration: AgentConfiguration;
  upcoming: UpcomingVersion | null;
}

/** A dearer version that waits for its notice. `effectiveAt` is in ISO 8601. */
export interface UpcomingVersion {
  versionId: string;
  version: string;
  configuration: AgentConfiguration;
  effectiveAt: string;
}

const HAS_MOVED = 'coalesce(c.next_at <= ledger_now(c.workspace_id), false)';

/** SQL: the id of the version of channel `c` now. */
const CHANNEL_VERSION = `case when ${HAS_MOVED} then c.next_version_id else c.version_id end`;

/** SQL: the version of the channel of agent `a` that the parameter names. */
export const versionOfChannel = (parameter: string): string => `
  (select ${CHANNEL_VERSION} from agent_channels c where c.agent_id = a.id and c.name = ${parameter} and c.removed_at is null)`;

const upcomingOf = (next: string, at: string): string =>
  `json_build_object('versionId', ${next}.id, 'version', ${next}.label, 'configuration', ${next}.configuration, 'effectiveAt', ${at})`;

/** SQL: the dearer version, as an `UpcomingVersion`, that becomes the default of agent `a`. */
export const UPCOMING = `
  (select ${upcomingOf('s', 'c.effective_at')} from deployments c join agent_versions s on s.id = c.version_id
    where c.agent_id = a.id and c.status = 'active' and c.rollout_state = 'scheduled')`;

/** SQL: the `PublicChannel`s of agent `a` whose version may run. */
export const CHANNELS = `
  (select coalesce(json_agg(json_build_object('name', c.name, 'versionId', s.id, 'version', s.label, 'configuration', s.configuration,
      'upcoming', case when not ${HAS_MOVED} and next.id is not null then ${upcomingOf('next', 'c.next_at')} end) order by c.name), '[]')
    from agent_channels c join agent_versions s on s.id = ${CHANNEL_VERSION} left join agent_versions next on next.id = c.next_version_id
    where c.agent_id = a.id and c.removed_at is null and exists (select from deployments p where p.version_id = s.id
      and p.visibility = 'public' and p.status in ('active', 'superseded') and p.suspended_at is null))`;

/** The dearer version that orders of a public agent, or of the channel they name, will get; null: none, or the order names a version. */
export async function findUpcoming(
  rows: AnyRows,
  agentId: string,
  { agent, version }: { agent: string; version?: string | undefined },
): Promise<UpcomingVersion | null> {
  const channel = releaseIn(agent);
  if (version !== undefined || (channel !== null && !CHANNEL_NAME.test(channel))) return null;
  const text = `select ${UPCOMING} as upcoming, ${CHANNELS} as channels from agents a where a.id = $1`;
  const { rows: found } = await rows.statement(({ client }) =>
    client.query<{ upcoming: UpcomingVersion | null; channels: PublicChannel[] }>(text, [agentId]),
  );
  const { upcoming = null, channels = [] } = found[0] ?? {};
  return channel === null ? upcoming : (channels.find(({ name }) => name === channel)?.upcoming ?? null);
}
