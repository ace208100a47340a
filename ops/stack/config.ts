import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { readVariables, type VariableName, VARIABLES, withSecrets } from '../../base/environment.ts';
import { parseCatalogKeys, parseSealingKeys } from '../../db/sealing/sealingKeys.ts';

const VARIABLE_NAMES = Object.keys(VARIABLES) as VariableName[];

const projectDir = fileURLToPath(new URL('../..', import.meta.url));

export type StackConfig = {
  projectDir: string;
  /** The folder of data that survives restarts. */
  dataDir: string;
  /** The folder of backups and of their log. */
  backupDir?: string;
  host: string;
  /** The public address, if set. */
  publicUrl?: string;
  /** 0 selects any free port. */
  port: number;
  /** The port of the second listener, if any. */
  tlsPort?: number;
  /** Set if the part runs elsewhere and is not started here. */
  databaseUrl?: string;
  /** The same database with its owner's login; without it `databaseUrl` is used for migrations too. */
  migrationDatabaseUrl?: string;
  temporalAddress?: string;
  embeddedUrl?: string;
  temporalNamespace: string;
  /** Processes of the API; several share their limits through `limitsUrl`, or through a server that is started here. */
  apiProcesses: number;
  limitsUrl?: string;
  hasEmbeddedModel: boolean;
  /** 0: any free one. */
  embeddedPort: number;
  /** 0: any free one. */
  testPaymentsPort: number;
  /** The key that encrypts plugin credentials; without it one is created and kept. */
  pluginSecretsKey?: string;
  /** The key that encrypts the contents of calls; without it one is created and kept. */
  contentsKey?: string;
  /** The key that encrypts the keys of upstreams; without it one is created and kept. */
  catalogSecretsKey?: string;
  /** Whether payments use Stripe. Otherwise the test payments run. */
  hasStripe: boolean;
  /** The catalogue of models. */
  catalogFile: string;
  searchPath: string;
  /** Where Temporal's releases are fetched instead of at their maker's. */
  downloadMirrorUrl?: string;
  isUnderNpm: boolean;
  /** The environment of the parts; each part parses its own variables. */
  environment: NodeJS.ProcessEnv;
};

/**
 * The settings of one installation from its environment, parsed once.
 * @throws an error that names each variable with an invalid value.
 */
export function stackConfigOf({ env }: { env: NodeJS.ProcessEnv }): StackConfig {
  // Of all parts: a value that only the worker refuses would be found when everything else is up.
  readVariables(env, VARIABLE_NAMES);
  const values = readVariables(env, [
    'HOST',
    'PORT',
    'PUBLIC_URL',
    'TLS_PORT',
    'TLS_CERT_FILE',
    'TLS_KEY_FILE',
    'DATA_DIR',
    'BACKUP_DIR',
    'DOWNLOAD_MIRROR_URL',
    'DATABASE_URL',
    'MIGRATION_DATABASE_URL',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
    'API_PROCESSES',
    'LIMITS_REDIS_URL',
    'EMBEDDED_URL',
    'EMBEDDED_MODEL',
    'EMBEDDED_PORT',
    'BOOTSTRAP_API_KEY',
    'BOOTSTRAP_CREDIT_USD',
    'MODEL_CATALOG_FILE',
    'PLUGIN_SECRETS_KEY',
    'CONTENTS_KEY',
    'CATALOG_SECRETS_KEY',
    'STRIPE_SECRET_KEY',
    'TEST_PAYMENTS_PORT',
  ]);
  if (values.PLUGIN_SECRETS_KEY !== undefined) parseSealingKeys(values.PLUGIN_SECRETS_KEY);
  if (values.CATALOG_SECRETS_KEY !== undefined) parseCatalogKeys(values.CATALOG_SECRETS_KEY);
  requireTogether(values);
  return {
    projectDir,
    dataDir: resolve(projectDir, values.DATA_DIR),
    backupDir: values.BACKUP_DIR && resolve(projectDir, values.BACKUP_DIR),
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    tlsPort: values.TLS_CERT_FILE ? values.TLS_PORT : undefined,
    databaseUrl: values.DATABASE_URL,
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL,
    temporalAddress: values.TEMPORAL_ADDRESS,
    embeddedUrl: values.EMBEDDED_URL,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    apiProcesses: values.API_PROCESSES,
    limitsUrl: values.LIMITS_REDIS_URL,
    hasEmbeddedModel: values.EMBEDDED_MODEL === 'on',
    embeddedPort: values.EMBEDDED_PORT,
    testPaymentsPort: values.TEST_PAYMENTS_PORT,
    pluginSecretsKey: values.PLUGIN_SECRETS_KEY,
    contentsKey: values.CONTENTS_KEY,
    catalogSecretsKey: values.CATALOG_SECRETS_KEY,
    hasStripe: values.STRIPE_SECRET_KEY !== undefined,
    catalogFile: resolve(projectDir, values.MODEL_CATALOG_FILE ?? 'catalog.json'),
    searchPath: env.PATH ?? '',
    downloadMirrorUrl: values.DOWNLOAD_MIRROR_URL,
    isUnderNpm: env.npm_lifecycle_event !== undefined,
    environment: Object.fromEntries(
      Object.entries(withSecrets(env)).filter(([, value]) => value !== '' && value !== undefined),
    ),
  };
}

/** Refuses inconsistent variables. */
function requireTogether(values: {
  PORT: number;
  TLS_PORT: number;
  TLS_CERT_FILE?: string;
  TLS_KEY_FILE?: string;
  DATABASE_URL?: string;
  MIGRATION_DATABASE_URL?: string;
}): void {
  if (values.MIGRATION_DATABASE_URL && !values.DATABASE_URL) {
    throw new Error(
      'MIGRATION_DATABASE_URL: set DATABASE_URL too, to the same database with the login of the application',
    );
  }
  if (Boolean(values.TLS_CERT_FILE) !== Boolean(values.TLS_KEY_FILE)) {
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE belong together: one of them is not set');
  }
  if (values.TLS_CERT_FILE && values.TLS_PORT === values.PORT && values.PORT !== 0) {
    throw new Error(`TLS_PORT: must be another port than PORT, which is ${values.PORT} too`);
  }
}

/**
 * The environment of the bundled PostgreSQL. With glibc a backend keeps the memory of a statement for its next one, instead of giving it
 * back and getting it page by page.
 */
export const postgresEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  MALLOC_TRIM_THRESHOLD_: '33554432',
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TOP_PAD_: '1048576',
});

/**
 * For the environment of the other parts. With glibc, freed memory of large bodies and files goes back to the system; by itself glibc keeps
 * it once it has seen some: an API had 430 MiB after 40 bodies of 20 MB, and 230 with this.
 */
export const MEMORY_ENVIRONMENT = { MALLOC_MMAP_THRESHOLD_: '131072' };
