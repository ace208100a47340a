import { chown, cp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireStopped } from '../preflight.ts';
import type { LineLog } from '../process/child.ts';
import { runCommand } from '../process/program.ts';
import { postgresOwner, startPostgres } from '../postgres.ts';
import { archiveDirOf, NO_ARCHIVING, recoverySettings } from '../archive.ts';
import { copyHashed, listBackups, type Manifest } from './backups.ts';
import { restoreSecrets } from './secrets.ts';
import { isOnTheWay, type Timeline, timelineAt } from './timelines.ts';

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
 * Replaces the database of a stopped installation by its state at a time: the log is replayed beside the old database, the ledger is
 * checked, and then they are swapped. Returns the report of the check, and how to go back.
 * @throws a message with instructions; the database is then unchanged.
 */
export async function restoreBackup(options: RestoreOptions): Promise<string> {
  const { dataDir, backupDir, to, onProgress } = options;
  await requireStopped(dataDir);
  const postgresDir = join(dataDir, 'postgres');
  const logFolders = await logFoldersIn(postgresDir);
  const timeline = await timelineAt([archiveDirOf(backupDir), ...logFolders], to);
  const backup = await chooseBackup(backupDir, timeline, to);
  const draft = join(postgresDir, 'restored');
  await restoreSecrets(backupDir, backup.name, dataDir);
  const replay = async (until: Date | undefined) => {
    onProgress(`Copying ${backup.name}, and comparing its checksums`);
    await rm(draft, { recursive: true, force: true });
    await copyFiles(join(backupDir, backup.name), draft, backup);
    onProgress(`Replaying the log${until ? ` to ${until.toISOString()}` : ''}`);
    return recover(options, { draft, logFolders, timeline: timeline.timeline, to: until });
  };
  const report = await replay(to).catch((error: Error) => {
    if (!to || !error.message.includes(ENDS_EARLIER)) throw error;
    onProgress(`Nothing was written between the end of the log and ${to.toISOString()}: restoring its last state`);
    return replay(undefined);
  });
  const before = `before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  const moved = [await moveAside(join(postgresDir, 'cluster'), before)];
  await rename(draft, join(postgresDir, 'cluster'));
  // Temporal's workflows then belong to another time: the sweep restarts those of open runs and batches.
  if (to) moved.push(await moveAside(join(dataDir, 'temporal'), before));
  return `${report.trimEnd()}\n${wayBack(moved.filter((path) => path !== undefined))}`;
}

const ENDS_EARLIER = 'recovery ended before configured recovery target was reached';

/** The logs of the cluster and of the clusters that earlier restores have replaced: with parts not archived yet. */
async function logFoldersIn(postgresDir: string): Promise<string[]> {
  const names = (await readdir(postgresDir).catch(() => [])).filter((name) => /^cluster(\.before-\w+)?$/.test(name));
  return names.toSorted().map((name) => join(postgresDir, name, 'pg_wal'));
}

function wayBack(moved: string[]): string {
  if (moved.length === 0) return 'There was no database before.';
  const commands = moved.map((path) => {
    const place = path.slice(0, path.lastIndexOf('.before-'));
    return `mv '${place}' '${place}.undone' 2>/dev/null; mv '${path}' '${place}'`;
  });
  return `What was there before is kept. To go back, stop the installation, and:\n  ${commands.join('\n  ')}`;
}

async function chooseBackup(backupDir: string, timeline: Timeline, to: Date | undefined): Promise<Manifest> {
  const backups = await listBackups(backupDir);
  const earlier = backups.filter(({ finishedAt }) => !to || new Date(finishedAt) <= to);
  const fitting = earlier.filter((backup) => isOnTheWay(backup, timeline));
  if (fitting.length > 0) return fitting.at(-1)!;
  if (backups.length === 0) throw new Error(`There is no backup in ${backupDir}.`);
  if (earlier.length === 0) throw new Error(`The first backup is of ${backups[0]!.finishedAt}: choose a later time.`);
  throw new Error(
    `No backup leads to timeline ${timeline.timeline} of the log, which a restore began: choose an earlier ` +
      'time, or one after the next backup.',
  );
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

async function moveAside(path: string, before: string): Promise<string | undefined> {
  if (!(await stat(path).catch(() => undefined))) return undefined;
  await rename(path, `${path}.${before}`);
  return `${path}.${before}`;
}

async function giveTo(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) await chown(join(folder, path), uid, gid);
  await chown(folder, uid, gid);
}

interface Replay {
  draft: string;
  logFolders: string[];
  timeline: number;
  to: Date | undefined;
}

/** Replays the log into the draft, and checks the ledger. */
async function recover(
  { projectDir, environment, dataDir, backupDir, log }: RestoreOptions,
  { draft, logFolders, timeline, to }: Replay,
): Promise<string> {
  const ids = await postgresOwner();
  if (ids) await giveTo(draft, ids);
  const archiveDir = archiveDirOf(backupDir);
  const postgres = await startPostgres({
    dataDir: join(dataDir, 'postgres'),
    cluster: draft,
    archiveDir,
    settings: { ...recoverySettings(archiveDir, { folders: logFolders, timeline, to }), ...NO_ARCHIVING },
    startTimeoutMs: RECOVERY_TIMEOUT_MS,
    log,
  });
  try {
    const env = { ...environment, DATABASE_URL: postgres.applicationUrl, DATA_DIR: dataDir };
    return await runCommand(['ops/admin/main.ts', 'ledger', 'check'], projectDir, env);
  } catch (cause) {
    throw new Error(
      `The restored database does not pass its check, and stays in ${draft}: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  } finally {
    await postgres.stop();
  }
}
