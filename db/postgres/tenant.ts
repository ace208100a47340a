import type { EntityManager } from '@mikro-orm/postgresql';
import type { Entities, LazyOrm } from './lazyOrm.ts';
import { isRefusedByData } from './databaseErrors.ts';
import { LedgerUnavailable } from '../ledger/hold.ts';

export type { Entities, EntityManager };

const TENANT_ROLE = 'ledgerline_tenant';

/**
 * Reads as one workspace: the transaction runs as a role that may only read, and to which the database shows that workspace's rows
 * alone, whatever a query forgot to ask. `work` is given the manager and the tables. Resolves with what it returns. Throws
 * `LedgerUnavailable` while the database is away.
 */
export async function inWorkspace<T>(
  orm: LazyOrm,
  workspaceId: string,
  work: (em: EntityManager, entities: Entities) => Promise<T>,
): Promise<T> {
  try {
    const { em: manager, entities } = await orm.open();
    return await manager.fork().transactional(async (em) => {
      // Both settings end with the transaction, so the connection returns to the pool as it was.
      await em.execute(`select set_config('role', ?, true), set_config('app.workspace_id', ?, true)`, [
        TENANT_ROLE,
        workspaceId,
      ]);
      return work(em, entities);
    });
  } catch (error) {
    throw isMistake(error) ? error : new LedgerUnavailable('the database cannot be read', error);
  }
}

// Ours, and there again at the next try: what `work` refuses, what the language complains of, and SQLSTATE's classes for data, rules and
// names.
function isMistake(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  const isOurs = /^((Type|Range|Reference)Error|\w+Refused)$/.test(name ?? '') || /^42...$/.test(code ?? '');
  return isOurs || isRefusedByData(error);
}
