import { migrationUrlOf, readDatabasePlace } from './config.ts';
import { isUnusable, unusableText } from './postgres/databaseErrors.ts';
import { migrate } from './postgres/migrations.ts';

// The statement needs a login with more rights.
const FORBIDDEN = '42501';

const { variable, url } = migrationUrlOf(process);
const { url: applicationUrl, directUrl } = readDatabasePlace(process);
try {
  const applied = await migrate(url, directUrl ?? applicationUrl, { isPooled: directUrl !== undefined });
  process.stdout.write(`${JSON.stringify({ event: 'migrated', applied })}\n`);
} catch (error) {
  const refused = error as { code?: string; message: string };
  if (!isUnusable(refused) && refused.code !== FORBIDDEN) throw error;
  const advice = refused.code === FORBIDDEN ? ': migrations need the login of the owner, who may create roles' : '';
  process.stderr.write(`${unusableText(refused, { variables: variable, url })}${advice}\n`);
  process.exitCode = 1;
}
