/** Where the database is. Throws a sentence that names the variable when it is missing. */
export function databaseUrlOf({ env }: { env: NodeJS.ProcessEnv }): string {
  if (!env['DATABASE_URL']) throw new Error('DATABASE_URL is not set: give the address of a PostgreSQL database');
  return env['DATABASE_URL'];
}

/** The same database by the login of its owner, which migrates it, and the variable that says so. Without one the application's login does. */
export function migrationUrlOf({ env }: { env: NodeJS.ProcessEnv }): { variable: string; url: string } {
  const url = env['MIGRATION_DATABASE_URL'];
  return url ? { variable: 'MIGRATION_DATABASE_URL', url } : { variable: 'DATABASE_URL', url: databaseUrlOf({ env }) };
}
