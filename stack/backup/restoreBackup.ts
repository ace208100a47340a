import { chown, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { requireStopped } from '../preflight.ts';
import type { LineLog } from '../process/child.ts';
import { runCommand } from '../process/program.ts';
import { postgresOwner, startPostgres } from '../postgres.ts';
import { archiveDirOf, recoverySettings } from './archive.ts';
import { copyHashed, listBackups, type Manifest } from './backups.ts';

// Replaying a day of log takes minutes.
const RECOVERY_TIMEOUT_MS = 3_600_000;

interface RestoreOptions {
  projectDir: string;
  environment: NodeJS.ProcessEnv;
  dataDir: string;
  backupDir: string;
  /** Undefined: the end of the log. */
  to?: Date;
  onProgress: LineLog;
  log: LineLog;
}

/**
 * Replaces the database of an installation that does not run by its state at a time, and checks the ledger. What was there is kept beside
 * it. Returns the report of the check.
 * @throws a message that says what to do; then the database is what it was, or its replacement is beside it.
 */
export async function restoreBackup(options: RestoreOptions): Promise<string> {
  const { dataDir, backupDir, to, onProgress } = options;
  await requireStopped(dataDir);
  const backup = await chooseBackup(backupDir, to);
  onProgress(`Copying ${backup.name}, and comparing its checksums`);
  const draft = join(dataDir, 'postgres', 'restored');
  await rm(draft, { recursive: true, force: true });
  await copyFiles(join(backupDir, backup.name), draft, backup);
  const before = `before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  const oldCluster = await putInPlace(dataDir, draft, before);
  await restoreSecrets(join(backupDir, backup.name), dataDir);
  // Temporal's workflows are of another time then: the sweep starts those of open runs and batches again.
  if (to) await moveAside(join(dataDir, 'temporal'), before);
  onProgress(`Replaying the log${to ? ` to ${to.toISOString()}` : ''}`);
  return recover(options, oldCluster);
}

async function chooseBackup(backupDir: string, to: Date | undefined): Promise<Manifest> {
  const backups = await listBackups(backupDir);
  const fitting = backups.filter(({ finishedAt }) => !to || new Date(finishedAt) <= to);
  if (fitting.length > 0) return fitting.at(-1)!;
  if (backups.length === 0) throw new Error(`There is no backup in ${backupDir}.`);
  throw new Error(`The first backup is of ${backups[0]!.finishedAt}: choose a later time.`);
}

async function copyFiles(from: string, draft: string, { files }: Manifest): Promise<void> {
  await cp(join(from, 'cluster'), draft, { recursive: true, filter: async (path) => (await stat(path)).isDirectory() });
  for (const { path, sha256 } of files) {
    const copied = await copyHashed(join(from, 'cluster', path), join(draft, path));
    if (copied?.sha256 !== sha256) throw new Error(`${path} of the backup is damaged: nothing was changed.`);
  }
  await copyHashed(join(from, 'cluster', 'backup_label'), join(draft, 'backup_label'));
  await writeFile(join(draft, 'recovery.signal'), '', { mode: 0o600 });
}

/** Moves the restored files to where the server looks. Returns where the old ones are, if there are any. */
async function putInPlace(dataDir: string, draft: string, before: string): Promise<string | undefined> {
  const cluster = join(dataDir, 'postgres', 'cluster');
  const ids = await postgresOwner();
  if (ids) await giveTo(draft, ids);
  const oldCluster = await moveAside(cluster, before);
  await rename(draft, cluster);
  return oldCluster;
}

async function moveAside(path: string, before: string): Promise<string | undefined> {
  if (!(await stat(path).catch(() => undefined))) return undefined;
  await rename(path, `${path}.${before}`);
  return `${path}.${before}`;
}

async function giveTo(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) await chown(join(folder, path), uid, gid);
  await chown(folder, uid, gid);
}

/** Those of an installation that is still there are as new, and stay. */
async function restoreSecrets(from: string, dataDir: string): Promise<void> {
  for (const entry of await readdir(join(from, 'secrets'), { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    const target = join(dataDir, source.slice(join(from, 'secrets').length));
    if (!entry.isFile() || (await stat(target).catch(() => undefined))) continue;
    await mkdir(dirname(target), { recursive: true });
    await copyHashed(source, target);
  }
}

async function recover(
  { projectDir, environment, dataDir, backupDir, to, log }: RestoreOptions,
  oldCluster?: string,
): Promise<string> {
  const archiveDir = archiveDirOf(backupDir);
  const postgres = await startPostgres({
    dataDir: join(dataDir, 'postgres'),
    archiveDir,
    settings: recoverySettings(archiveDir, { oldCluster, to }),
    startTimeoutMs: RECOVERY_TIMEOUT_MS,
    log,
  });
  try {
    const env = { ...environment, DATABASE_URL: postgres.applicationUrl, DATA_DIR: dataDir };
    return await runCommand(['admin/main.ts', 'ledger', 'check'], projectDir, env);
  } finally {
    await postgres.stop();
  }
}
