import { fileURLToPath } from 'node:url';
import type { Configuration } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { entities } from '../entities/index.ts';
import { connectTimeoutMsOf, endOnTimeout, QUERY_TIMEOUT_MS } from './pool.ts';

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

type Dialect = ReturnType<PostgreSqlConnection['createKyselyDialect']>;
type Driver = ReturnType<Dialect['createDriver']>;

/** The ORM's driver, which gives every connection back to its pool. */
class ReturningDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config);
    Object.assign(this, { connection: new ReturningConnection(this.config) });
  }
}

class ReturningConnection extends PostgreSqlConnection {
  override createKyselyDialect(overrides: Parameters<PostgreSqlConnection['createKyselyDialect']>[0]): Dialect {
    const dialect = super.createKyselyDialect(overrides);
    const createDriver = dialect.createDriver.bind(dialect);
    return Object.assign(dialect, { createDriver: () => returning(createDriver()) });
  }
}

/**
 * Kysely keeps the connection of a transaction whose `begin` or `rollback` fails: after five of them the pool would be empty until a
 * restart. Here a failed `begin` gives it back, and a failed `rollback` counts as done: the connection has ended (`endOnTimeout`), and
 * with it the transaction.
 */
function returning(driver: Driver): Driver {
  const begin = driver.beginTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  return Object.assign(driver, {
    beginTransaction: async (...[connection, settings]: Parameters<Driver['beginTransaction']>) => {
      try {
        await begin(connection, settings);
      } catch (error) {
        await driver.releaseConnection(connection);
        throw error;
      }
    },
    rollbackTransaction: async (...[connection]: Parameters<Driver['rollbackTransaction']>) => {
      await rollback(connection).catch(() => {});
    },
  });
}
