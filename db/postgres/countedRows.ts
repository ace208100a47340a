import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Bound } from './rows.ts';

/** Limit on the number of a list's entries that are counted and summed: about half a second of the database. */
export const COUNTED_MAX = 500_000;

/** The statement's limit: one more shows that there are too many. */
export const COUNTED_ROWS = COUNTED_MAX + 1;

/** SQL that reads one column of the workspace's rows with a condition, at most `COUNTED_ROWS` of them: to be summed by another statement. */
export const countedRowsSql = <Entity extends { workspaceId: string | null }>(
  { em, workspaceId }: Pick<Bound, 'em' | 'workspaceId'>,
  entity: EntityName<Entity>,
  { column, where }: { column: string; where: FilterQuery<Entity> },
): string =>
  em
    .qb(entity)
    .select(column as never)
    .where({ $and: [where, { workspaceId }] } as never)
    .limit(COUNTED_ROWS)
    .getFormattedQuery();
