import { migrationUrlOf, readDatabasePlace } from './config.ts';
import { isDatabaseDown } from './postgres/databaseErrors.ts';
import { migrate } from './postgres/migrations.ts';

// A refused connection: the role, its password, or the name of the database.
const REFUSED = /^(28|3D)/;
// The statement needs a login with more rights.
const FORBIDDEN = '42501';

const { variable, url } = migrationUrlOf(process);
const { url: applicationUrl, directUrl } = readDatabasePlace(process);
try {
  const applied = await migrate(url, directUrl ?? applicationUrl, { isPooled: directUrl !== undefined });
  process.stdout.write(`${JSON.stringify({ event: 'migrated', applied })}\n`);
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  if (!isDatabaseDown(error) && !REFUSED.test(code ?? '') && code !== FORBIDDEN) throw error;
  const advice = code === FORBIDDEN ? ': migrations need the login of the owner, who may create roles' : '';
  // The address without its password.
  process.stderr.write(
    `${variable}: the database at ${new URL(url).host} cannot be used: ${message || code}${advice}\n`,
  );
  process.exitCode = 1;
}
