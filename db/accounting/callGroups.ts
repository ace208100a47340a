import type { Bound } from '../postgres/rows.ts';

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

/** SQL: the member whose key made a call; null for other keys. */
export const memberSql = (keyId: string): string => `(select k.member_user_id from api_keys k where k.id = ${keyId})`;

/** Names of the keys or members of a workspace, by id; a member by the name of their session's key. */
export async function readLabels(
  { client, workspaceId }: Bound,
  groupBy: readonly string[],
): Promise<Record<string, string>> {
  const id = groupBy.includes('key') ? 'id' : groupBy.includes('member') ? 'member_user_id' : undefined;
  if (!id) return {};
  const text = `select ${id} as id, max(name) as name from api_keys where workspace_id = $1 and ${id} is not null group by 1`;
  const { rows } = await client.query<{ id: string; name: string }>(text, [workspaceId]);
  return Object.fromEntries(rows.map(({ id: of, name }) => [of, name]));
}
