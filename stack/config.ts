import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseSealingKeys } from '../db/agents/sealingKeys.ts';

const projectDir = fileURLToPath(new URL('..', import.meta.url));
const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number, from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number, from 0 to 65535');

const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be an address like postgres://user:password@host/database' })
  .optional();

const Variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.prefault('4000'),
  TLS_PORT: port.prefault('4443'),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseUrl,
  MIGRATION_DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^/]+:\d+$/, 'must be host:port')
    .refine((address) => Number(/\d+$/.exec(address)?.[0]) <= 65_535, 'must be host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  EMBEDDED_URL: z.url({ protocol: /^https?$/, error: 'must be an http address' }).optional(),
  EMBEDDED_MODEL: z.enum(['on', 'off'], 'must be on or off').default('on'),
  BOOTSTRAP_API_KEY: z.string().startsWith('sk_live_', 'must start with sk_live_').optional(),
  BOOTSTRAP_CREDIT_USD: z
    .string()
    .regex(/^\d+(\.\d{1,9})?$/, 'must be an amount in US dollars, such as 25')
    .optional(),
  MODEL_CATALOG_FILE: z.string().default('catalog.json'),
  PLUGIN_SECRETS_KEY: z.string().superRefine(requireSealingKeys).optional(),
  PATH: z.string().default(''),
  npm_lifecycle_event: z.string().optional(),
});

export type StackConfig = {
  projectDir: string;
  /** The folder of everything that is kept between starts. */
  dataDir: string;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The port of the second listener, when there is one. */
  tlsPort?: number;
  /** Set when the part runs elsewhere and is not started here. */
  databaseUrl?: string;
  /** The same database with its owner's login; without it `databaseUrl` is used for migrations too. */
  migrationDatabaseUrl?: string;
  temporalAddress?: string;
  embeddedUrl?: string;
  temporalNamespace: string;
  hasEmbeddedModel: boolean;
  /** The key that encrypts plugin credentials; without it one is created and kept. */
  pluginSecretsKey?: string;
  /** The catalogue of models. */
  catalogFile: string;
  searchPath: string;
  isUnderNpm: boolean;
  /** The environment of the parts; each part parses its own variables. */
  environment: NodeJS.ProcessEnv;
};

/**
 * The settings of one installation from its environment, parsed once. An empty value counts as none.
 * @throws a sentence that names each variable with a bad value.
 */
export function stackConfigOf({ env }: { env: NodeJS.ProcessEnv }): StackConfig {
  const environment = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = Variables.safeParse(environment);
  if (!parsed.success) throw new Error(parsed.error.issues.map(describeIssue).join('; '));
  const { data } = parsed;
  if (data.MIGRATION_DATABASE_URL && !data.DATABASE_URL) {
    throw new Error(
      'MIGRATION_DATABASE_URL: set DATABASE_URL too, to the same database with the login of the application',
    );
  }
  if (Boolean(data.TLS_CERT_FILE) !== Boolean(data.TLS_KEY_FILE)) {
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE belong together: one of them is not set');
  }
  if (data.TLS_CERT_FILE && data.TLS_PORT === data.PORT && data.PORT !== 0) {
    throw new Error(`TLS_PORT: must be another port than PORT, which is ${data.PORT} too`);
  }
  return {
    projectDir,
    dataDir: resolve(projectDir, data.DATA_DIR),
    host: data.HOST,
    port: data.PORT,
    tlsPort: data.TLS_CERT_FILE ? data.TLS_PORT : undefined,
    databaseUrl: data.DATABASE_URL,
    migrationDatabaseUrl: data.MIGRATION_DATABASE_URL,
    temporalAddress: data.TEMPORAL_ADDRESS,
    embeddedUrl: data.EMBEDDED_URL,
    temporalNamespace: data.TEMPORAL_NAMESPACE,
    hasEmbeddedModel: data.EMBEDDED_MODEL === 'on',
    pluginSecretsKey: data.PLUGIN_SECRETS_KEY,
    catalogFile: resolve(projectDir, data.MODEL_CATALOG_FILE),
    searchPath: data.PATH,
    isUnderNpm: data.npm_lifecycle_event !== undefined,
    environment,
  };
}

function requireSealingKeys(text: string, context: z.RefinementCtx): void {
  try {
    parseSealingKeys(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.join('.')}: ${message}`;
}
