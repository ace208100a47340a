import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../entities/index.ts';
import type { Pool } from 'pg';
import { connectTimeoutMsOf } from './connectTimeout.ts';
import { endOnTimeout, QUERY_TIMEOUT_MS } from './pool.ts';
import { ReturningDriver } from './returningDriver.ts';

const MIGRATIONS_PATH = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * The ORM for one database. `role` is taken by every connection; without it the connection keeps its owner's rights. `onPool` is given its
 * pool of connections.
 */
export function openOrm({
  url,
  role,
  poolMax = 5,
  onPool = () => {},
}: {
  url: string;
  role?: string;
  poolMax?: number;
  onPool?: (pool: Pool) => void;
}): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: url,
    driver: ReturningDriver,
    entities: Object.values(entities),
    discovery: { warnWhenNoEntities: false },
    // Errors are thrown to the caller; lines that are not JSON do not belong in the log.
    logger: () => {},
    extensions: [Migrator],
    migrations: {
      path: MIGRATIONS_PATH,
      pathTs: MIGRATIONS_PATH,
      glob: 'Migration*.ts',
      emit: 'ts',
      snapshotOnMigrate: false,
      snapshotName: '.snapshot',
    },
    // Functions, triggers and policies are written by hand, in the migrations.
    schemaGenerator: { ignoreRoutines: true, ignoreTriggers: true, ignorePolicies: true },
    pool: { max: poolMax },
    // Migrations, which take no role, may take their time; queries of a request may not.
    driverOptions: role
      ? {
          options: `-c role=${role} -c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000`,
          connectionTimeoutMillis: connectTimeoutMsOf(url),
          query_timeout: QUERY_TIMEOUT_MS,
          keepAlive: true,
          onPoolCreated: (pool: Pool) => {
            pool.on('connect', endOnTimeout);
            onPool(pool);
          },
        }
      : {},
    forceUtcTimezone: true,
  });
}
