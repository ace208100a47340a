import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stackConfigOf, type StackConfig } from '../config.ts';
import { listBackups, pruneBackups } from './backups.ts';
import { createBackup } from './createBackup.ts';
import { restoreBackup } from './restoreBackup.ts';

const USAGE = `Usage: npm run backup -- create | list | prune --keep NUMBER | restore [--to TIME]
  create   copies the running database into BACKUP_DIR
  list     shows the backups
  prune    deletes all but the newest ones, and the log that only those needed
  restore  replaces the database of a stopped installation, by the state at a time as 2026-11-24T18:30:00Z or the last one`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  say(await run(stackConfigOf(process), process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function run(config: StackConfig, args: string[]): Promise<string> {
  const { positionals, values } = readArguments(args);
  if (values.help) return USAGE;
  const { dataDir, backupDir, projectDir, environment, databaseUrl } = config;
  if (databaseUrl) throw new Error('DATABASE_URL: is a database of your own: back it up with its own tools.');
  if (!backupDir) throw new Error('BACKUP_DIR: is not set');
  const places = { dataDir, backupDir: resolve(backupDir) };
  switch (positionals.join(' ')) {
    case 'create': {
      const { name, files } = await createBackup(places);
      const megabytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / 1e6;
      return `${name}: ${files.length} files, ${megabytes.toFixed(0)} MB.`;
    }
    case 'list':
      return linesOf(
        (await listBackups(places.backupDir)).map(({ name, finishedAt }) => `${name}  from ${finishedAt} on`),
        'There is no backup yet.',
      );
    case 'prune':
      return linesOf(
        (await pruneBackups(places.backupDir, wholeNumberOf(values.keep))).map((name) => `Deleted ${name}.`),
        'Nothing was deleted: there are no more backups than that.',
      );
    case 'restore':
      return restoreBackup({
        projectDir,
        environment,
        ...places,
        to: timeOf(values.to),
        onProgress: say,
        log: () => {},
      });
    default:
      throw new Error(USAGE);
  }
}

function readArguments(args: string[]) {
  const options = { to: { type: 'string' }, keep: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch {
    throw new Error(USAGE);
  }
}

function linesOf(lines: string[], none: string): string {
  return lines.length > 0 ? lines.join('\n') : none;
}

function wholeNumberOf(text = ''): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error('--keep: must be a whole number of at least 1');
}

function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || !/[zZ]$|[+-]\d\d:?\d\d$/.test(text))
    throw new Error('--to: must be a time with its zone, as 2026-11-24T18:30:00Z');
  return time;
}
