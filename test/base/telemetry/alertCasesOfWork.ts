import { api, apiLabels, other, worker, type AlertCase } from './alertCase.ts';

const backlog = (kind: string) => `ledgerline_backlog_age_seconds{${worker},kind="${kind}"}`;
const connections = (used: number) => ({
  [`ledgerline_database_connections{${worker},kind="used"}`]: `${used}x10`,
  [`ledgerline_database_connections{${worker},kind="max"}`]: '103x10',
  [`ledgerline_database_connections{${worker},kind="reserved"}`]: '3x10',
});
const disk = (kind: string) => `ledgerline_database_disk_bytes{${worker},kind="${kind}"}`;
const endpoints = (outcome: string) => `ledgerline_webhook_endpoints{${worker},outcome="${outcome}"}`;
const GIB = 1024 ** 3;

export const CASES_OF_WORK: AlertCase[] = [
  {
    alert: 'TemporalUnreachable',
    series: { [`ledgerline_temporal_up{${api}}`]: '0x5' },
    fires: {
      at: '1m',
      labels: apiLabels,
      summary: 'a:9464 gets no answer from Temporal: runs and batches start later',
    },
    notAt: '0m',
    quiet: { [`ledgerline_temporal_up{${api}}`]: '0 1x5' },
  },
  {
    alert: 'TemporalUnreachable',
    about: 'over, while figures that failed still count',
    series: { [`ledgerline_temporal_up{${api}}`]: '0 0 1x10' },
    fires: {
      at: '7m',
      labels: apiLabels,
      summary: 'a:9464 gets no answer from Temporal: runs and batches start later',
    },
  },
  {
    alert: 'SweeperStopped',
    series: { [`ledgerline_sweeper_running{${worker}}`]: '0x5' },
    fires: { at: '3m', summary: 'The workflow that sweeps does not run' },
    notAt: '2m',
    quiet: { [`ledgerline_sweeper_running{${worker}}`]: '0x5', [`ledgerline_sweeper_running{${other}}`]: '1x5' },
  },
  {
    alert: 'WorkersBehind',
    series: { [`ledgerline_temporal_backlog_age_seconds{${worker},queue="q",type="workflow"}`]: '40x5' },
    fires: { at: '3m', labels: { queue: 'q', type: 'workflow' }, summary: 'A workflow task of q waits for 40s' },
    notAt: '2m',
    quiet: { [`ledgerline_temporal_backlog_age_seconds{${worker},queue="q",type="workflow"}`]: '20x5' },
  },
  {
    alert: 'BatchLate',
    series: { [backlog('batches')]: '72010x5' },
    fires: { at: '0m', summary: 'A batch is open for 20h 0m 10s; it expires after a day' },
    quiet: { [backlog('batches')]: '71000x5' },
  },
  {
    alert: 'WebhooksLate',
    series: { [backlog('webhooks')]: '130x5' },
    fires: { at: '3m', summary: 'A delivery waits for 2m 10s to be started' },
    notAt: '2m',
    quiet: { [backlog('webhooks')]: '110x5' },
  },
  {
    alert: 'WebhooksFailing',
    series: { [endpoints('failed')]: '3x9', [endpoints('delivered')]: '2x9' },
    fires: { at: '5m', summary: 'Webhooks cannot be delivered to 3 endpoints, more than to the others' },
    notAt: '4m',
    quiet: { [endpoints('failed')]: '2x9', [endpoints('delivered')]: '2x9' },
  },
  {
    alert: 'ReviewsWait',
    series: { [backlog('reviews')]: '259201x5' },
    fires: { at: '0m', summary: 'A submission waits for 3d 0h 0m 1s to be reviewed' },
    quiet: { [backlog('reviews')]: '259200x5' },
  },
  {
    alert: 'SchedulesStale',
    series: { [backlog('schedules')]: '130x5' },
    fires: { at: '3m', summary: 'Temporal does not have a schedule as it was changed 2m 10s ago' },
    notAt: '2m',
    quiet: { [backlog('schedules')]: '110x5' },
  },
  {
    alert: 'DatabaseConnections',
    series: connections(86),
    fires: { at: '2m', summary: '86 connections of PostgreSQL are used: soon it refuses more' },
    notAt: '1m',
    quiet: connections(85),
  },
  {
    alert: 'DatabaseDiskFull',
    series: { [disk('size')]: `${100 * GIB}x9`, [disk('free')]: `${9 * GIB}x9` },
    fires: { at: '2m', labels: { instance: 'w:9464' }, summary: 'The disk of the database has 9GiB left' },
    notAt: '1m',
    quiet: { [disk('size')]: `${100 * GIB}x9`, [disk('free')]: `${11 * GIB}x9` },
  },
  {
    alert: 'DatabaseDiskFills',
    series: { [disk('size')]: '100000x500', [disk('free')]: '39000-15x500' },
    fires: {
      at: '400m',
      labels: { job: 'ledgerline-worker', instance: 'w:9464', kind: 'free' },
      summary: 'At the pace of the last six hours the disk of the database is full in two days',
    },
    notAt: '20m',
    quiet: { [disk('size')]: '100000x500', [disk('free')]: '39000-5x500' },
  },
  {
    alert: 'PoolExhausted',
    series: { [`ledgerline_pool_waiting{${api}}`]: '30x5' },
    fires: { at: '2m', labels: apiLabels, summary: '30 queries of a:9464 wait for a connection' },
    notAt: '1m',
    quiet: { [`ledgerline_pool_waiting{${api}}`]: '20x5' },
  },
  {
    alert: 'BackupOld',
    series: { [`ledgerline_backup_age_seconds{${worker},kind="backup"}`]: '130000x70' },
    fires: { at: '60m', summary: 'The last backup of the database is 1d 12h 6m 40s old' },
    notAt: '59m',
    quiet: {
      [`ledgerline_backup_age_seconds{${worker},kind="backup"}`]: '900000x70',
      [`ledgerline_backup_age_seconds{${other},kind="backup"}`]: '100000x70',
    },
  },
  {
    alert: 'BackupOld',
    about: 'there is none',
    series: { [`ledgerline_backup_age_seconds{${worker},kind="backup"}`]: 'Inf '.repeat(70) },
    fires: { at: '60m', summary: 'There is no backup of the database' },
  },
  {
    alert: 'ArchiverFailing',
    series: { [`ledgerline_archiver_failing{${worker},kind="log"}`]: '1x9' },
    fires: {
      at: '5m',
      summary: 'The log of the database does not reach its archive: a lost disk costs what was billed since',
    },
    notAt: '4m',
    quiet: {
      [`ledgerline_archiver_failing{${worker},kind="log"}`]: '1 0x9',
      [`ledgerline_backup_age_seconds{${worker},kind="log"}`]: '500x9',
    },
  },
  {
    alert: 'ArchiverFailing',
    about: 'no part for ten minutes',
    series: { [`ledgerline_backup_age_seconds{${worker},kind="log"}`]: '601x9' },
    fires: {
      at: '5m',
      summary: 'The log of the database does not reach its archive: a lost disk costs what was billed since',
    },
  },
  {
    alert: 'ArchiveFailing',
    series: { [`ledgerline_archive_months{${worker},kind="failed"}`]: '1x200' },
    fires: { at: '90m', summary: '1 months of calls do not move to the archive' },
    notAt: '89m',
    quiet: {
      // The next hour's try went well.
      [`ledgerline_archive_months{${worker},kind="failed"}`]: '1x60 0x60',
      [`ledgerline_archive_months{${worker},kind="archived"}`]: '3x120',
    },
  },
  {
    alert: 'MonthMissing',
    series: {
      [`ledgerline_rows_later{${worker},kind="requests"}`]: '4x30',
      [`ledgerline_rows_later{${other},kind="requests"}`]: '5x30',
    },
    fires: { at: '15m', labels: { kind: 'requests' }, summary: '5 requests are of a month that has no partition' },
    notAt: '14m',
    quiet: { [`ledgerline_rows_later{${worker},kind="requests"}`]: '0x30' },
  },
];
