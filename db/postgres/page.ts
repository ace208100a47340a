import type { EntityName, FilterQuery } from '@mikro-orm/core';
import { timeOfId } from '../ids.ts';
import type { Bound } from './rows.ts';

/**
 * A page of a list by time: at most `limit` rows after the row with the id `after`. When that row is gone, the list goes on at the time in
 * its id: rows expire while a client reads pages.
 */
export interface PageQuery {
  after: string | null;
  /** The exact time of that row, where it may be deleted before the next page is read. */
  afterTime?: string;
  limit: number;
  /** `desc` (the default): the newest first. */
  direction?: 'asc' | 'desc';
  /** The time that orders the list; the creation time by default. */
  by?: 'createdAt' | 'settledAt';
  /** A table, with the column of its time, with rows in the same list: the cursor may be one of them. */
  beside?: { table: string; time: string };
}

/** Rows by time, and whether more follow. The database compares the times, because they are more precise than a cursor. */
export async function readPage<Entity extends { id: string } & ({ createdAt: Date } | { settledAt: Date })>(
  { em, sql }: Pick<Bound, 'em' | 'sql'>,
  entity: EntityName<Entity>,
  where: FilterQuery<Entity>,
  { after, afterTime, limit, direction = 'desc', by = 'createdAt', beside }: PageQuery,
): Promise<{ rows: Entity[]; hasMore: boolean }> {
  const table = sql.ref(em.getMetadata(entity).tableName);
  const time = sql.ref(by === 'createdAt' ? 'created_at' : 'settled_at');
  const found = sql`select ${time}, id from ${table} where id = ${after}`;
  const createdAt = sql`select created_at from ${table} where id = ${after}`;
  const own = afterTime
    ? sql`select ${afterTime}::timestamptz, ${after}::text`
    : beside || by !== 'createdAt'
      ? found
      : sql`select coalesce((${createdAt}), ${after === null ? null : timeOfId(after)}::timestamptz), ${after}::text`;
  const last = beside
    ? sql`(${own} union all select ${sql.ref(beside.time)}, id from ${sql.ref(beside.table)} where id = ${after} limit 1)`
    : sql`(${own})`;
  const isAfter = direction === 'desc' ? sql`(${time}, id) < ${last}` : sql`(${time}, id) > ${last}`;
  const wanted = after === null ? where : { $and: [where, { [isAfter]: [] }] };
  // One more than requested, to find out whether another page exists.
  const options = { orderBy: { [by]: direction, id: direction } as never, limit: limit + 1 };
  const rows = await em.find<Entity>(entity, wanted as never, options);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
