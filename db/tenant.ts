import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';

export type { EntityManager };

const TENANT_ROLE = 'ledgerline_tenant';

/**
 * Reads as one workspace: the transaction runs as a role that may only read, and to which the database shows that workspace's rows
 * alone, whatever a query forgot to ask. Resolves with what `work` returns.
 */
export function inWorkspace<T>(
  orm: MikroORM,
  workspaceId: string,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  return orm.em.fork().transactional(async (em) => {
    // Both settings end with the transaction, so the connection returns to the pool as it was.
    await em.execute(`select set_config('role', ?, true), set_config('app.workspace_id', ?, true)`, [
      TENANT_ROLE,
      workspaceId,
    ]);
    return work(em);
  });
}
