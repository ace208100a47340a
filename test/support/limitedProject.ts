import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { insertProject } from '../../db/projects/projects.ts';

/** Moves a key to a new project with a daily limit. */
export async function limitProjectOf<Account extends { workspaceId: string; keyId: string }>(
  db: Pick<Database, 'pool' | 'write'>,
  account: Account,
  spendLimitNanos: bigint,
): Promise<Account> {
  const id = newId('proj');
  const by = { personId: 'user_ada', name: 'Ada', isKnown: true, keyId: null, requestId: newId('req') };
  const project = { id, name: 'Shop', spendLimitNanos, spendLimitPeriod: 'daily' as const, by };
  await insertProject(db.write(account.workspaceId), project);
  await db.pool.query('update api_keys set project_id = $2 where id = $1', [account.keyId, id]);
  return account;
}
