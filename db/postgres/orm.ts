import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../entities/index.ts';
import { connectTimeoutMsOf } from './connectTimeout.ts';

const MIGRATIONS_PATH = fileURLToPath(new URL('../migrations', import.meta.url));

// Migrations, which take no role, may take their time; queries of a request may not.
const PATIENCE = { query_timeout: 6_000, keepAlive: true };

/** The ORM for one database. `role` is taken by every connection; without it the connection keeps its owner's rights. */
export function openOrm({
  url,
  role,
  poolMax = 5,
}: {
  url: string;
  role?: string;
  poolMax?: number;
}): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: url,
    entities: Object.values(entities),
    discovery: { warnWhenNoEntities: false },
    // What fails is thrown to whoever asked; lines that are not JSON have no place in the log.
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
    driverOptions: role
      ? {
          options: `-c role=${role} -c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000`,
          connectionTimeoutMillis: connectTimeoutMsOf(url),
          ...PATIENCE,
        }
      : {},
    forceUtcTimezone: true,
  });
}
