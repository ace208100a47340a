import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { archiveDirOf } from '../archive.ts';
import { copyHashed, type Manifest, MANIFEST } from './backups.ts';
import { copySecrets } from './secrets.ts';

// Rewritten by every start of the server, or valid only for the running one.
const SKIPPED_FILES = /^(postmaster\.(pid|opts)|backup_label|tablespace_map|pg_internal\.init.*|pgsql_tmp.*)$/;
const EMPTY_FOLDERS = [
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
/**
 * Copies the running database into a new folder while it serves. With the archived log it can be restored to any later time.
 * @throws a message with instructions if the installation does not run or does not archive its log.
 */
export async function createBackup({ dataDir, backupDir }: { dataDir: string; backupDir: string }): Promise<Manifest> {
  const client = await connect(dataDir);
  const startedAt = new Date().toISOString();
  const name = `backup-${startedAt.replaceAll(/[-:]|\.\d+/g, '')}`;
  const draft = join(backupDir, `${name}.draft`);
  try {
    await requireArchive(client);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const { rows: begun } = await client.query<{ file: string }>(
      `select pg_walfile_name(pg_backup_start($1, fast => true)) as file`,
      [name],
    );
    const files = await copyCluster(join(dataDir, 'postgres', 'cluster'), draft);
    // Waits until the log up to here is archived: a backup without it is incomplete.
    const { rows: ended } = await client.query<{ lsn: string; labelfile: string }>(
      'select lsn::text, labelfile from pg_backup_stop(true)',
    );
    requireLogIn(backupDir, begun[0]!.file);
    await writeFile(join(draft, 'cluster', 'backup_label'), ended[0]!.labelfile, { mode: 0o600, flush: true });
    await copySecrets(dataDir, draft);
    const log = { firstLogFile: begun[0]!.file, endPosition: ended[0]!.lsn };
    const manifest = { name, startedAt, finishedAt: new Date().toISOString(), ...log, files };
    await writeFile(join(draft, MANIFEST), JSON.stringify(manifest), { flush: true });
    await rename(draft, join(backupDir, name));
    return manifest;
  } catch (error) {
    throw isFull(error) ? diskIsFull(backupDir, error as Error) : error;
  } finally {
    // Also aborts a started backup.
    await client.end();
    await rm(draft, { recursive: true, force: true });
  }
}

async function connect(dataDir: string): Promise<Client> {
  const read = (file: string) => readFile(join(dataDir, 'postgres', file), 'utf8');
  try {
    const [password, port] = await Promise.all([read('password'), read('port')]);
    const client = new Client(`postgres://ledgerline:${password.trim()}@127.0.0.1:${port.trim()}/postgres`);
    await client.connect();
    return client;
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`The database of ${dataDir} cannot be reached (${message}): start the installation first.`, {
      cause,
    });
  }
}

async function requireArchive(client: Client): Promise<void> {
  const { rows } = await client.query<{ archive_mode: string }>('show archive_mode');
  if (rows[0]!.archive_mode !== 'on')
    throw new Error('The database archives no log: set BACKUP_DIR for npm start too, and start again.');
}

/** Without the log since its start a backup is of no use. @throws a message with instructions if `backupDir` does not have it. */
export function requireLogIn(backupDir: string, firstLogFile: string): void {
  if (existsSync(join(archiveDirOf(backupDir), `${firstLogFile}.gz`))) return;
  throw new Error(
    `The log of the database is not archived in ${backupDir}: set the BACKUP_DIR of npm start. Nothing was kept.`,
  );
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

const diskIsFull = (backupDir: string, cause: Error) =>
  new Error(
    `There is no space for a backup in ${backupDir}: free some, for example by prune --keep NUMBER, and repeat the command. Nothing was kept.`,
    { cause },
  );

async function copyCluster(cluster: string, draft: string): Promise<Manifest['files']> {
  const files: Manifest['files'] = [];
  const visit = async (folder: string): Promise<void> => {
    await mkdir(join(draft, 'cluster', folder), { recursive: true, mode: 0o700 });
    if (EMPTY_FOLDERS.includes(folder)) return;
    for (const entry of await readdir(join(cluster, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (SKIPPED_FILES.test(entry.name)) continue;
      if (entry.isDirectory()) await visit(path);
      // A table dropped since then is absent; the log also has its removal.
      const copied = entry.isFile() ? await copyHashed(join(cluster, path), join(draft, 'cluster', path)) : undefined;
      if (copied) files.push({ path, ...copied });
    }
  };
  await visit('');
  return files;
}
