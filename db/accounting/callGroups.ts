import type { Bound } from '../postgres/rows.ts';
import { isOfProjectSql, projectLabelsSql } from './projectSql.ts';
import { keyIdsOf } from './requestFilter.ts';

/** Names of times in reports: the beginning of the day, hour or minute (UTC). */
const TIME_FORMATS = {
  day: 'YYYY-MM-DD',
  hour: 'YYYY-MM-DD"T"HH24:00:00"Z"',
  minute: 'YYYY-MM-DD"T"HH24:MI:00"Z"',
};

export type TimeGroup = keyof typeof TIME_FORMATS;
export const TIME_GROUPS = Object.keys(TIME_FORMATS) as [TimeGroup, ...TimeGroup[]];

export const isTime = (group: string): group is TimeGroup => group in TIME_FORMATS;

/** SQL: the name of a time. */
export const timeNameSql = (group: TimeGroup, time: string): string =>
  `to_char(${time} at time zone 'UTC', '${TIME_FORMATS[group]}')`;

/** SQL: the beginning of the time that `time` belongs to; faster than `date_trunc`. */
export const timeSlotSql = (group: TimeGroup, time: string): string =>
  `date_bin('1 ${group}', ${time}, '1970-01-01T00:00:00Z')`;

/** A report of a workspace's calls: its groups, its range, and filters. */
export interface CallsQuery<Group extends string> {
  groupBy: Group[];
  from: Date;
  /** Excluded. */
  to: Date;
  model?: string;
  /** Its id or prefix. */
  key?: string;
  /** Its id in the API. */
  project?: string;
}

export interface CallsReport<Figures> {
  /** `names` holds the group's keys, in order. */
  rows: (Figures & { names: (string | null)[] })[];
  total: Figures;
  labels: Record<string, string>;
}

/** The values of a report's statement: workspace, range (from, to), model, keys, project. */
export async function queryValuesOf(tx: Bound, query: CallsQuery<string>): Promise<unknown[]> {
  const keyIds = query.key === undefined ? null : await keyIdsOf(tx, query.key);
  return [tx.workspaceId, query.from, query.to, query.model ?? null, keyIds, query.project ?? null];
}

/** SQL: whether a row has the model, the key and the project that `queryValuesOf` asks for. */
export const isAskedForSql = (alias: string): string =>
  `($4::text is null or ${alias}.model = $4) and ($5::text[] is null or ${alias}.key_id = any ($5)) and ${isOfProjectSql(`${alias}.project_id`, '$6')}`;

/** SQL: the member whose key made a call; null for other keys. */
export const memberSql = (keyId: string): string => `(select k.member_user_id from api_keys k where k.id = ${keyId})`;

/** Names of the keys, projects or members of a workspace, by id; a member by the name of their session's key. */
export async function readLabels(
  { client, workspaceId }: Bound,
  groupBy: readonly string[],
): Promise<Record<string, string>> {
  if (groupBy.includes('project')) {
    const { rows } = await client.query<{ id: string; name: string }>(projectLabelsSql, [workspaceId]);
    return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
  }
  const id = groupBy.includes('key') ? 'id' : groupBy.includes('member') ? 'member_user_id' : undefined;
  if (!id) return {};
  const text = `select ${id} as id, max(name) as name from api_keys where workspace_id = $1 and ${id} is not null group by 1`;
  const { rows } = await client.query<{ id: string; name: string }>(text, [workspaceId]);
  return Object.fromEntries(rows.map(({ id: of, name }) => [of, name]));
}
