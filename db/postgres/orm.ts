import { fileURLToPath } from 'node:url';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { entities } from '../entities/index.ts';

const MIGRATIONS_PATH = fileURLToPath(new URL('../migrations', import.meta.url));

const OPTIONS: Options = {
  entities: Object.values(entities),
  discovery: { warnWhenNoEntities: false },
  // Errors are thrown to the caller; lines that are not JSON do not belong in the log.
  logger: () => {},
  forceUtcTimezone: true,
  // Rows are plain values: a transaction reads their current state and changes them by statements.
  disableIdentityMap: true,
};

/**
 * The ORM with its own connection as the database's owner: for migrations. `lockTimeoutMs`: how long a statement may wait for a lock;
 * a running installation's statements wait behind it.
 */
export async function openOwnersOrm(
  url: string,
  { lockTimeoutMs }: { lockTimeoutMs?: number } = {},
): Promise<MikroORM> {
  // Loaded only here: no other program migrates.
  const { Migrator } = await import('@mikro-orm/migrations');
  return MikroORM.init({
    ...OPTIONS,
    clientUrl: url,
    extensions: [Migrator],
    migrations: {
      path: MIGRATIONS_PATH,
      pathTs: MIGRATIONS_PATH,
      glob: 'Migration*.ts',
      emit: 'ts',
      snapshot: false,
      // Each in its own transaction, so that its locks do not last until the end of all migrations.
      allOrNothing: false,
    },
    // Functions, triggers and policies are written by hand, in the migrations.
    schemaGenerator: { ignoreRoutines: true, ignoreTriggers: true, ignorePolicies: true },
    pool: { max: 1 },
    ...(lockTimeoutMs !== undefined && { driverOptions: { options: `-c lock_timeout=${lockTimeoutMs}` } }),
  });
}

/** The ORM without a connection: each manager gets one with its transaction (`rows.ts`). */
export function openUnconnectedOrm(): MikroORM {
  // `MikroORM.init` would load the package of migrations, and look for others. It also sets `skipSyncDiscovery` in the given object.
  const discovery = { ...OPTIONS.discovery, skipSyncDiscovery: false };
  const orm = new MikroORM({ ...OPTIONS, discovery, dbName: 'none' });
  Object.assign(orm.em.getConnection(), { ensureConnection: async () => {} });
  return orm;
}
