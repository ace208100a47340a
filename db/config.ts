import { readVariables } from '../base/environment.ts';

/** The application's database login. Throws an error that names the variable when it is missing. */
export function databaseUrlOf({ env }: { env: NodeJS.ProcessEnv }): string {
  return readVariables(env, [], ['DATABASE_URL']).DATABASE_URL;
}

/** The login that migrates the same database, and its variable: the owner's, otherwise the application's. */
export function migrationUrlOf({ env }: { env: NodeJS.ProcessEnv }): { variable: string; url: string } {
  const { MIGRATION_DATABASE_URL: url } = readVariables(env, ['MIGRATION_DATABASE_URL']);
  return url ? { variable: 'MIGRATION_DATABASE_URL', url } : { variable: 'DATABASE_URL', url: databaseUrlOf({ env }) };
}
