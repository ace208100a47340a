import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Bound } from './rows.ts';

/** A page of a list by creation: at most `limit` rows after the row with the id `after`. */
export interface PageQuery {
  after: string | null;
  limit: number;
  /** `desc` (the default): the newest first. */
  direction?: 'asc' | 'desc';
}

/** Rows by creation, and whether more follow. The database compares their times, which are finer than a cursor could carry. */
export async function readPage<Entity extends { id: string; createdAt: Date }>(
  { em, sql }: Pick<Bound, 'em' | 'sql'>,
  entity: EntityName<Entity>,
  where: FilterQuery<Entity>,
  { after, limit, direction = 'desc' }: PageQuery,
): Promise<{ rows: Entity[]; hasMore: boolean }> {
  const table = sql.ref(em.getMetadata(entity).tableName);
  const last = sql`(select c.created_at, c.id from ${table} c where c.id = ${after})`;
  const isAfter = direction === 'desc' ? sql`(created_at, id) < ${last}` : sql`(created_at, id) > ${last}`;
  const wanted = after === null ? where : { $and: [where, { [isAfter]: [] }] };
  // One more than requested shows whether there are more.
  const options = { orderBy: { createdAt: direction, id: direction }, limit: limit + 1 };
  const rows = await em.find<Entity>(entity, wanted as never, options);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
