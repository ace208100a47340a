import { join } from 'node:path';

/** The folder of the log of changes within a folder of backups. */
export const archiveDirOf = (backupDir: string): string => join(backupDir, 'wal');

/**
 * Server settings that copy each finished part of the write-ahead log into `archiveDir`, compressed: at least one a minute, so that losing
 * the machine loses at most a minute. A copy keeps the time of its last change, which distinguishes the timelines (`timelines.ts`).
 */
export function archiveSettings(archiveDir: string): Record<string, string> {
  const target = `${quoted(archiveDir)}/%f.gz`;
  const copy = `gzip -1 -c "%p" > ${target}.part && touch -r "%p" ${target}.part && sync ${target}.part && mv ${target}.part ${target}`;
  // A part that a killed server has archived arrives again: it must be identical.
  const again = `gzip -dc ${target} | cmp -s - "%p"`;
  // The unused rest of a timeline's last part: no recovery reads it, and the next restore has another.
  const isNeeded = 'case "%f" in *.partial) exit 0;; esac';
  return {
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: `${isNeeded}; if test -f ${target}; then ${again}; else ${copy}; fi`,
  };
}

/** For a server that replays the log: its output is archived once it has replaced the old cluster. */
export const NO_ARCHIVING = { archive_mode: 'on', archive_command: 'exit 1' };

/**
 * Server settings that replay a timeline of the log: from the archive, then from `folders`, which have the parts not archived yet. Up to
 * `to`, else to its end.
 */
export function recoverySettings(
  archiveDir: string,
  { folders, timeline, to }: { folders: string[]; timeline: number; to?: Date },
) {
  const packed = `${quoted(archiveDir)}/%f.gz`;
  const unpack = `if test -f ${packed}; then gzip -dc ${packed} > "%p" && touch -r ${packed} "%p"; exit; fi`;
  const copies = [archiveDir, ...folders].map((folder) => `cp -p ${quoted(folder)}/%f "%p" 2>/dev/null`);
  return {
    restore_command: `${unpack}; ${copies.join(' || ')}`,
    recovery_target_timeline: String(timeline),
    hot_standby: 'off',
    ...(to && {
      recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
    }),
  };
}

/** For the shell and for PostgreSQL, which replaces `%` sequences. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`).replaceAll('%', '%%')}'`;
}
