import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { readVariables } from '../../base/environment.ts';
import { KEY_RINGS, readKeyIds, type KeyIds, type RingName } from '../../base/keyRings.ts';
import { textOf } from '../../base/secretFiles.ts';
import { readTemporalSettings, TEMPORAL_VARIABLES, type TemporalSettings } from '../../base/temporalSettings.ts';
import { localUrl } from '../../base/web.ts';
import { createContentBox, type ContentBox } from '../../db/contents/contentBox.ts';
import { parseCatalogKeys, parseSealingKeys, type SealingKeys } from '../../db/sealing/sealingKeys.ts';
import { readArchiveStore, readFileStore } from '../../db/config.ts';
import type { ArchiveStore } from '../../db/archive/archiveFiles.ts';
import type { FileStore } from '../../db/objects/objectStore.ts';
import { isMistypedKey } from '../../db/keys/keySecret.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { readEnvironmentFile } from '../stack/environmentFile.ts';

const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/** The settings of the command line. */
export interface AdminConfig {
  /** The database itself, also where the application uses a pooler. */
  databaseUrl: string;
  /** The file store; undefined: files are in the database. */
  fileStore: FileStore | undefined;
  /** Where archived months are; undefined: nowhere. */
  archiveStore: ArchiveStore | undefined;
  /** The address of the console, for links. */
  publicUrl: string;
  temporal: TemporalSettings;
  /** Encrypts the credentials of plugins. Throws if the variable is missing or invalid. */
  pluginKeys: () => SealingKeys;
  /** The keys of every variable that this command has, for their rotation. */
  rings: () => Rings;
  bootstrap: {
    /** The first workspace's key, when it was configured in advance. */
    secret: string | undefined;
    creditNanos: bigint;
    /** The mail address of the first owner. */
    ownerEmail: string;
  };
}

const NAMES = [
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'PUBLIC_URL',
  'HOST',
  'PORT',
  'BOOTSTRAP_API_KEY',
  'BOOTSTRAP_CREDIT_USD',
  'BOOTSTRAP_OWNER_EMAIL',
] as const;

/**
 * Reads the settings. Without `DATABASE_URL` it uses the database of the installation in the data folder. Throws an error that names the
 * missing or invalid variable.
 */
export function readAdminConfig(env: NodeJS.ProcessEnv): AdminConfig {
  const values = readVariables(env, NAMES);
  const dataDir = resolve(projectDir, values.DATA_DIR);
  const installed = readEnvironmentFile(dataDir);
  return {
    databaseUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL ?? installedDatabaseUrl(dataDir, installed),
    fileStore: readFileStore({ env: { ...installed, ...env } }),
    archiveStore: readArchiveStore({ env: { ...installed, ...env } }),
    publicUrl: values.PUBLIC_URL ?? installed.PUBLIC_URL ?? localUrl(values.HOST, values.PORT),
    temporal: temporalOf(env, installed),
    pluginKeys: () =>
      parseSealingKeys(
        readVariables(env, ['PLUGIN_SECRETS_KEY']).PLUGIN_SECRETS_KEY ?? installed.PLUGIN_SECRETS_KEY ?? '',
      ),
    rings: () => ringsOf({ ...installed, ...env }),
    bootstrap: {
      secret: bootstrapSecret(values.BOOTSTRAP_API_KEY),
      creditNanos: nanosOfUsd(values.BOOTSTRAP_CREDIT_USD),
      ownerEmail: values.BOOTSTRAP_OWNER_EMAIL,
    },
  };
}

/** Keys by their variable; undefined: it is not set. */
export interface Rings {
  keyIds: KeyIds;
  plugins: SealingKeys | undefined;
  catalog: SealingKeys | undefined;
  contents: ContentBox | undefined;
}

const RINGS = Object.keys(KEY_RINGS) as RingName[];

function ringsOf(env: NodeJS.ProcessEnv): Rings {
  const values = readVariables(env, RINGS);
  const { PLUGIN_SECRETS_KEY: plugins, CATALOG_SECRETS_KEY: catalog, CONTENTS_KEY: contents } = values;
  return {
    keyIds: readKeyIds(env, RINGS),
    plugins: plugins === undefined ? undefined : parseSealingKeys(plugins),
    catalog: catalog === undefined ? undefined : parseCatalogKeys(catalog),
    contents: contents === undefined ? undefined : createContentBox(contents),
  };
}

// Settings belong to their server: if another address is configured, the installation's do not apply.
function temporalOf(env: NodeJS.ProcessEnv, installed: NodeJS.ProcessEnv): TemporalSettings {
  const own = Object.fromEntries(
    TEMPORAL_VARIABLES.map((name) => [name, textOf(env, name)]).filter(([, value]) => value),
  );
  return readTemporalSettings(own.TEMPORAL_ADDRESS ? own : { ...installed, ...own });
}

function installedDatabaseUrl(dataDir: string, { DATABASE_URL: url }: NodeJS.ProcessEnv): string {
  if (url) return url;
  throw new Error(`No database: start the installation with npm start, or set DATABASE_URL (looked in ${dataDir}).`);
}

function bootstrapSecret(secret: string | undefined): string | undefined {
  if (secret === undefined || !isMistypedKey(secret)) return secret;
  throw new Error('BOOTSTRAP_API_KEY: has the length of a generated key but not its checksum: it was mistyped');
}
