import { join } from 'node:path';

/** The folder of the log of changes within a folder of backups. */
export const archiveDirOf = (backupDir: string): string => join(backupDir, 'wal');

/**
 * Server settings that copy each finished part of the write-ahead log into `archiveDir`: at least one a minute, so that the loss of the
 * machine costs at most that.
 */
export function archiveSettings(archiveDir: string): Record<string, string> {
  const target = `${quoted(archiveDir)}/%f`;
  // A part that a killed server archived comes again: it is the same, or something is wrong.
  const copy = `cp "%p" ${target}.part && sync ${target}.part && mv ${target}.part ${target}`;
  return {
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: `if test -f ${target}; then cmp -s "%p" ${target}; else ${copy}; fi`,
  };
}

/** Server settings that replay the archived log, then what the old server had not archived yet; up to `to`, else to its end. */
export function recoverySettings(archiveDir: string, { oldCluster, to }: { oldCluster?: string; to?: Date }) {
  const sources = [archiveDir, ...(oldCluster ? [join(oldCluster, 'pg_wal')] : [])];
  const command = sources.map((folder) => `cp ${quoted(folder)}/%f "%p" 2>/dev/null`).join(' || ');
  return {
    restore_command: command,
    hot_standby: 'off',
    ...(to && {
      recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
    }),
  };
}

/** For the shell and for PostgreSQL, which replaces what follows a `%`. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`).replaceAll('%', '%%')}'`;
}
