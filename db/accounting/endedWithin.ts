import type { Span } from '../postgres/archive.ts';
import type { Bound } from '../postgres/rows.ts';

/** What a cell of summed hours says of its calls; omitted members match all. */
export interface CellFilter {
  keyIds?: string[] | undefined;
  model?: string | undefined;
  route?: string | undefined;
  product?: string | undefined;
  /** As it is stored; null: the default one. */
  projectId?: string | null | undefined;
}

/** Calls in more hours than these are found soon by reading the newest ones. */
const HOURS_MAX = 50;
const HOUR_MS = 3_600_000;

/**
 * The times of a workspace's calls with such a cell, the newest first, by its summed hours: a list of few calls then reads those hours
 * alone. Undefined: there are many, or the filter does not say.
 */
export async function endedWithin(
  { client, workspaceId }: Bound,
  { keyIds, model, route, product, projectId }: CellFilter,
): Promise<Span[] | undefined> {
  const project = projectId === null ? '' : projectId;
  const asked = [keyIds, model, route, product, project];
  if (asked.every((one) => one === undefined)) return undefined;
  const values = [workspaceId, ...asked.map((one) => one ?? null), HOURS_MAX + 1];
  const { rows } = await client.query<{ until: Date; hours: Date[] }>(HOURS, values);
  if (!rows[0] || rows[0].hours.length > HOURS_MAX) return undefined;
  const { until, hours } = rows[0];
  // Later calls are not summed yet.
  return [{ from: until }, ...hours.map((from) => ({ from, to: new Date(from.getTime() + HOUR_MS) }))];
}

// By the primary key, backwards: with many such hours it stops soon.
const HOURS = `
select u.summed_until as until, array(
  select distinct h.hour from usage_hours h where h.workspace_id = $1 and h.hour < u.summed_until
    and ($2::text[] is null or h.key_id = any ($2)) and ($3::text is null or h.model = $3) and ($4::text is null or h.route = $4)
    and ($5::text is null or h.product = $5) and ($6::text is null or h.project_id = $6)
  order by h.hour desc limit $7) as hours
from usage_rollups u where u.workspace_id = $1`;
