import type { EntityName, FilterQuery } from '@mikro-orm/core';
import { timeOfId } from '../ids.ts';
import type { Bound } from './rows.ts';

/**
 * A page of a list by time: at most `limit` rows after the row with the id `after`, or with the place `after`. When that row is gone, the
 * list goes on at the time of its place, or at the one in its id: rows expire while a client reads pages.
 */
export interface PageQuery {
  after: string | null;
  limit: number;
  /** `desc` (the default): the newest first. */
  direction?: 'asc' | 'desc';
  /** The time that orders the list; the creation time by default. */
  by?: 'createdAt' | 'settledAt';
  /** A table, with the column of its time, with rows in the same list: the cursor may be one of them. */
  beside?: { table: string; time: string };
}

/** SQL: the exact time of a row, which is more precise than a date. */
export const exactTimeSql = (time: string): string =>
  `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** A cursor: the id and exact time of a row. The next page starts there even if the row has been deleted. */
export const placeOf = ({ id, exactTime }: { id: string; exactTime: string }): string => `${id} ${exactTime}`;

/** The id in a place, and its time; null in the cursors that had the id alone. */
export function placeIn(after: string): { id: string; exactTime: string | null } {
  const [id = '', exactTime = null] = after.split(' ', 2);
  return { id, exactTime };
}

/** Whether a list cannot go on after an id: there is no time in it, and no row has it. */
export const isUnknownPlace = async <Entity extends { id: string }>(
  { em }: Pick<Bound, 'em'>,
  entity: EntityName<Entity>,
  after: string,
): Promise<boolean> => !timeOfId(after) && (await em.count(entity, { id: after } as never)) === 0;

/** Rows by time, and whether more follow. The database compares the times, because they are more precise than a cursor. */
export async function readPage<Entity extends { id: string } & ({ createdAt: Date } | { settledAt: Date })>(
  { em, sql }: Pick<Bound, 'em' | 'sql'>,
  entity: EntityName<Entity>,
  where: FilterQuery<Entity>,
  { after, limit, direction = 'desc', by = 'createdAt', beside }: PageQuery,
): Promise<{ rows: Entity[]; hasMore: boolean }> {
  const { id, exactTime } = after === null ? { id: null, exactTime: null } : placeIn(after);
  const table = sql.ref(em.getMetadata(entity).tableName);
  const time = sql.ref(by === 'createdAt' ? 'created_at' : 'settled_at');
  const found = sql`select ${time}, id from ${table} where id = ${id}`;
  const createdAt = sql`select created_at from ${table} where id = ${id}`;
  const own = exactTime
    ? sql`select ${exactTime}::timestamptz, ${id}::text`
    : beside || by !== 'createdAt'
      ? found
      : sql`select coalesce((${createdAt}), ${id === null ? null : timeOfId(id)}::timestamptz), ${id}::text`;
  const last =
    beside && !exactTime
      ? sql`(${own} union all select ${sql.ref(beside.time)}, id from ${sql.ref(beside.table)} where id = ${id} limit 1)`
      : sql`(${own})`;
  const isAfter = direction === 'desc' ? sql`(${time}, id) < ${last}` : sql`(${time}, id) > ${last}`;
  const wanted = after === null ? where : { $and: [where, { [isAfter]: [] }] };
  // One more than requested, to find out whether another page exists.
  const options = { orderBy: { [by]: direction, id: direction } as never, limit: limit + 1 };
  const rows = await em.find<Entity>(entity, wanted as never, options);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
