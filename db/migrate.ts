import { databaseUrlOf } from './config.ts';
import { migrate } from './migrations.ts';

const applied = await migrate(databaseUrlOf(process));
process.stdout.write(`${JSON.stringify({ event: 'migrated', applied })}\n`);
