import { readdir } from 'node:fs/promises';
import type { Rows } from '../db/postgres/rows.ts';
import type { ReadGauge } from '../base/telemetry/metrics.ts';
import { fresh } from '../base/fresh.ts';

const FRESH_MS = 5_000;

/**
 * The age of the backups in `backupDir` (undefined: there is no such folder), and whether the database's log is archived, where it archives
 * any: bundled or elsewhere, by whatever command.
 */
export function backupGauges(everywhere: Rows<undefined>, backupDir: string | undefined): ReadGauge[] {
  const archiver = fresh(FRESH_MS, () => readArchiver(everywhere));
  return [
    {
      name: 'ledgerline_backup_age_seconds',
      help: 'Age of the last backup (backup), and of the last archived part of the log where parts end by time (log)',
      labels: ['kind'],
      read: async () => [
        ...(backupDir === undefined ? [] : [{ labels: { kind: 'backup' }, value: await backupAgeSeconds(backupDir) }]),
        ...(await archiver())
          .filter(({ isTimed }) => isTimed)
          .map(({ ageSeconds: value }) => ({ labels: { kind: 'log' }, value })),
      ],
    },
    {
      name: 'ledgerline_archiver_failing',
      help: 'Whether the last try to archive a part of the log failed',
      labels: ['kind'],
      read: async () => (await archiver()).map(({ isFailing: value }) => ({ labels: { kind: 'log' }, value })),
    },
  ];
}

// The name of a backup is its time. Unfinished backups have other names.
const NAME = /^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Infinite without backups. */
async function backupAgeSeconds(backupDir: string): Promise<number> {
  const names = await readdir(backupDir).catch(() => []);
  const times = names.map((name) => Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z')));
  const newestMs = Math.max(...times.filter((time) => !Number.isNaN(time)));
  return Math.max(0, (Date.now() - newestMs) / 1_000);
}

interface Archiver {
  ageSeconds: number;
  isFailing: number;
  /** Whether parts of the log end by time, and not only when they are full. */
  isTimed: boolean;
}

async function readArchiver(everywhere: Rows<undefined>): Promise<Archiver[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<Archiver>(ARCHIVER));
  return rows;
}

// Raw: no entity. No row when archiving is off.
const ARCHIVER = `
select extract(epoch from now() - coalesce(last_archived_time, pg_postmaster_start_time()))::float as "ageSeconds",
  (coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false))::int as "isFailing",
  current_setting('archive_timeout')::interval between interval '1 second' and interval '5 minutes' as "isTimed"
from pg_stat_archiver where current_setting('archive_mode') <> 'off'`;
