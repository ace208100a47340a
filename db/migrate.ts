import { databaseUrlOf } from './config.ts';
import { isDatabaseAway } from './postgres/databaseAway.ts';
import { migrate } from './postgres/migrations.ts';

// Refused at the door: the role, its password, or the name of the database.
const REFUSED = /^(28|3D)/;

const url = databaseUrlOf(process);
try {
  const applied = await migrate(url);
  process.stdout.write(`${JSON.stringify({ event: 'migrated', applied })}\n`);
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  if (!isDatabaseAway(error) && !REFUSED.test(code ?? '')) throw error;
  // The place without the password in its address.
  process.stderr.write(`DATABASE_URL: the database at ${new URL(url).host} cannot be used: ${message || code}\n`);
  process.exitCode = 1;
}
