/** Where the database is. Throws a sentence that names the variable when it is missing. */
export function databaseUrlOf({ env }: { env: NodeJS.ProcessEnv }): string {
  if (!env['DATABASE_URL']) throw new Error('DATABASE_URL is not set: give the address of a PostgreSQL database');
  return env['DATABASE_URL'];
}
