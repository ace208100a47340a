import { api, apiLabels, other, requests, worker, type AlertCase } from './alertCase.ts';

const stripe = (status: number) => requests(`route="/platform/v1/billing/stripe/webhook",status="${status}"`);
const backlog = (kind: string) => `ledgerline_backlog_age_seconds{${worker},kind="${kind}"}`;
const lateTries = (activity: string) => `ledgerline_late_tries_total{${worker},activity="${activity}"}`;
const connections = (used: number) => ({
  [`ledgerline_database_connections{${worker},kind="used"}`]: `${used}x10`,
  [`ledgerline_database_connections{${worker},kind="max"}`]: '103x10',
  [`ledgerline_database_connections{${worker},kind="reserved"}`]: '3x10',
});
const disk = (kind: string) => `ledgerline_database_disk_bytes{${worker},kind="${kind}"}`;
const endpoints = (outcome: string) => `ledgerline_webhook_endpoints{${worker},outcome="${outcome}"}`;
const GIB = 1024 ** 3;

export const CASES_OF_MONEY_AND_WORK: AlertCase[] = [
  {
    alert: 'LedgerBroken',
    series: { [`ledgerline_ledger_check_failures{${worker}}`]: '1x5' },
    fires: { at: '0m', summary: 'The check of the ledger found a broken rule, or could not run' },
    quiet: { [`ledgerline_ledger_check_failures{${worker}}`]: '0x5' },
  },
  {
    alert: 'LedgerUnchecked',
    series: { [`ledgerline_ledger_checks_passed{${worker}}`]: '0x100' },
    fires: { at: '75m', summary: 'The ledger was not checked for hours' },
    notAt: '74m',
    quiet: { [`ledgerline_ledger_checks_passed{${worker}}`]: '0x60 1x50' },
  },
  {
    alert: 'AccountOverdrawn',
    series: { [`ledgerline_accounts{${worker},kind="overdrawn"}`]: '1x5' },
    fires: { at: '0m', summary: '1 accounts are below what reversals explain' },
    quiet: {
      [`ledgerline_accounts{${worker},kind="overdrawn"}`]: '0x5',
      [`ledgerline_accounts{${worker},kind="posted"}`]: '9x5',
    },
  },
  {
    alert: 'WrittenOff',
    series: { [`ledgerline_written_off_usd{${worker},workspace="ws_1"}`]: '2x5' },
    fires: {
      at: '0m',
      labels: { workspace: 'ws_1' },
      summary: '2 USD of calls were written off today: workspace ws_1',
    },
    quiet: {
      [`ledgerline_written_off_usd{${worker},workspace="ws_1"}`]: '0.9x5',
      [`ledgerline_written_off_usd{${worker},workspace="all"}`]: '9x5',
    },
  },
  {
    alert: 'WrittenOff',
    about: 'little of many',
    series: { [`ledgerline_written_off_usd{${worker},workspace="all"}`]: '11x5' },
    fires: {
      at: '0m',
      labels: { workspace: 'all' },
      summary: '11 USD of calls were written off today: workspace all',
    },
  },
  {
    alert: 'LedgerUnhealthy',
    series: { [`ledgerline_ledger_healthy{${api}}`]: '0x5' },
    fires: { at: '1m', labels: apiLabels, summary: 'a:9464 cannot place holds' },
    notAt: '0m',
    quiet: { [`ledgerline_ledger_healthy{${api}}`]: '1x5', [`ledgerline_ledger_healthy{${worker}}`]: '0x5' },
  },
  {
    alert: 'SettlementsWait',
    series: { [backlog('settlements')]: '90x5' },
    fires: { at: '2m', summary: 'A settlement waits for 1m 30s to be posted' },
    notAt: '1m',
    quiet: { [backlog('settlements')]: '50x5' },
  },
  {
    alert: 'HoldsStuck',
    series: { [`ledgerline_hold_age_seconds{${worker},kind="request"}`]: '4000x9' },
    fires: { at: '5m', summary: 'A hold of a call is open for 1h 6m 40s' },
    notAt: '4m',
    quiet: {
      [`ledgerline_hold_age_seconds{${worker},kind="request"}`]: '3600x9',
      [`ledgerline_hold_age_seconds{${worker},kind="run"}`]: '9000x9',
    },
  },
  {
    alert: 'RunsOverdue',
    series: { [backlog('overdue_runs')]: '70x9' },
    fires: { at: '5m', summary: 'A run should have ended 1m 10s ago, and holds its money' },
    notAt: '4m',
    quiet: { [backlog('overdue_runs')]: '0x9' },
  },
  {
    alert: 'EndingFails',
    series: { [lateTries('finishRun')]: '0x20 0+6x9' },
    fires: {
      at: '24m',
      labels: { activity: 'finishRun' },
      summary: 'finishRun fails again and again: what it should end or move stays open, and its money held',
    },
    notAt: '21m',
    quiet: { [lateTries('finishRun')]: '0x20 2x9', [lateTries('modelStep')]: '0x20 0+6x9' },
  },
  {
    alert: 'DeadProcess',
    series: { [backlog('dead_processes')]: '150x5' },
    fires: { at: '2m', summary: 'The holds of a dead process were not ended for 2m 30s' },
    notAt: '1m',
    quiet: { [backlog('dead_processes')]: '100x5' },
  },
  {
    alert: 'PaymentUncredited',
    series: { [`ledgerline_uncredited_payments{${worker}}`]: '1x5' },
    fires: {
      at: '0m',
      summary: '1 events of Stripe in the last day are about payments that could not be credited',
    },
    quiet: { [`ledgerline_uncredited_payments{${worker}}`]: '0x5' },
  },
  {
    alert: 'PaymentEventsFail',
    about: 'answered 5xx',
    series: { [stripe(200)]: '5x20', [stripe(500)]: '0 1 2 3 3x20' },
    fires: { at: '5m', summary: 'Events of Stripe are not taken: payments are credited a day late' },
    notAt: '1m',
    quiet: { [stripe(500)]: '0 1 1x20' },
  },
  {
    alert: 'PaymentEventsFail',
    about: 'a wrong secret',
    series: { [stripe(200)]: '5x20', [stripe(400)]: '0+1x20' },
    fires: { at: '8m', summary: 'Events of Stripe are not taken: payments are credited a day late' },
    // A stranger sends events while true ones arrive.
    quiet: { [stripe(200)]: '0+1x20', [stripe(400)]: '0+9x20' },
  },
  {
    alert: 'PaymentsMissed',
    series: { [`ledgerline_missed_payments{${worker}}`]: '2x5' },
    fires: { at: '0m', summary: 'The comparison with Stripe credited 2 payments whose events had not come' },
    quiet: { [`ledgerline_missed_payments{${worker}}`]: '0x5' },
  },
  {
    alert: 'ReconciliationFails',
    series: { [`ledgerline_reconciliation_failures{${worker}}`]: '1x5' },
    fires: { at: '0m', summary: 'Payments were not compared with Stripe' },
    quiet: {
      [`ledgerline_reconciliation_failures{${worker}}`]: '0x5',
      [`ledgerline_reconciliation_age_seconds{${worker}}`]: '90000x5',
    },
  },
  {
    alert: 'ReconciliationFails',
    about: 'a paused schedule',
    series: { [`ledgerline_reconciliation_age_seconds{${worker}}`]: '130000x5' },
    fires: { at: '0m', summary: 'Payments were not compared with Stripe' },
  },
  {
    alert: 'PayoutsWait',
    series: { [`ledgerline_payout_age_seconds{${worker}}`]: '260000x5' },
    fires: { at: '0m', summary: 'A payout waits for 3d 0h 13m 20s for an operator' },
    quiet: { [`ledgerline_payout_age_seconds{${worker}}`]: '250000x5' },
  },
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
