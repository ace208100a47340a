import type { InferEntity } from '@mikro-orm/core';
import type { Workspace } from '../entities/workspace.ts';
import type { Bound } from '../postgres/rows.ts';

/**
 * Locks a workspace to the end of the transaction, one transaction at a time: what it counts of the workspace stays exact until it has
 * inserted, so that limits hold. Null: no such workspace.
 */
export const lockWorkspace = (
  { em, Workspace: Table, LockMode }: Bound<unknown>,
  id: string,
): Promise<InferEntity<typeof Workspace> | null> => em.findOne(Table, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
