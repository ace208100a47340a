import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Bound } from './rows.ts';

/** SQL that reads one column of the workspace's rows with a condition: to be summed by another statement. */
export const selectSql = <Entity extends { workspaceId: string | null }>(
  { em, workspaceId }: Pick<Bound, 'em' | 'workspaceId'>,
  entity: EntityName<Entity>,
  { column, where, rowsMax }: { column: string; where: FilterQuery<Entity>; rowsMax: number },
): string =>
  em
    .qb(entity)
    .select(column as never)
    .where({ $and: [where, { workspaceId }] } as never)
    .limit(rowsMax)
    .getFormattedQuery();
