import { readdir } from 'node:fs/promises';
import type { Rows } from '../db/postgres/rows.ts';
import type { ReadGauge, Sample } from '../base/telemetry/metrics.ts';

/** The age of the bundled database's backups, and whether its log reaches their folder. */
export function backupGauges(everywhere: Rows<undefined>, backupDir: string): ReadGauge[] {
  return [
    {
      name: 'ledgerline_backup_age_seconds',
      help: 'Age of the last backup (backup), and of the last archived part of the log (log)',
      labels: ['kind'],
      read: async () => [
        { labels: { kind: 'backup' }, value: await backupAgeSeconds(backupDir) },
        ...(await archiverSamples(everywhere, 'log', 'ageSeconds')),
      ],
    },
    {
      name: 'ledgerline_archiver_failing',
      help: 'Whether the last try to archive a part of the log failed',
      labels: ['kind'],
      read: () => archiverSamples(everywhere, 'log', 'isFailing'),
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
}

async function archiverSamples(everywhere: Rows<undefined>, kind: string, member: keyof Archiver): Promise<Sample[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<Archiver>(ARCHIVER));
  return rows.map((archiver) => ({ labels: { kind }, value: archiver[member] }));
}

// Raw: no entity. No row when archiving is off.
const ARCHIVER = `
select extract(epoch from now() - coalesce(last_archived_time, pg_postmaster_start_time()))::float as "ageSeconds",
  (coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false))::int as "isFailing"
from pg_stat_archiver where current_setting('archive_mode') <> 'off'`;
