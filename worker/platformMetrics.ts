import { readUpstreamHealth } from '../db/accounting/upstreamHealth.ts';
import { readWorkload, type Workload } from '../db/accounting/workload.ts';
import { readAbsorbed, readWrittenOff, type Unpaid } from '../db/accounting/unpaid.ts';
import { countArchivedMonths } from '../db/archive/dueMonths.ts';
import { countLater } from '../db/ledger/months.ts';
import type { Database } from '../db/database.ts';
import type { ReadGauge, Sample } from '../base/telemetry/metrics.ts';
import { fresh } from '../base/fresh.ts';

// Several gauges share one query, and several scrapers ask: the database answers once per this time.
const FRESH_MS = 5_000;

type Group = keyof Workload;

/** The platform's figures from the database, which any worker can report. */
export function platformGauges({ everywhere }: Pick<Database, 'everywhere'>): ReadGauge[] {
  const workload = fresh(FRESH_MS, () => readWorkload(everywhere));
  const upstreams = fresh(FRESH_MS, () => readUpstreamHealth(everywhere));
  const of = (group: Group, member: 'count' | 'usd' | 'ageSeconds') => async (): Promise<Sample[]> =>
    (await workload())[group].map(({ kind, ...figures }) => ({ labels: { kind }, value: figures[member] }));
  const gauge = (name: string, help: string, read: ReadGauge['read']): ReadGauge => ({
    name: `ledgerline_${name}`,
    help,
    labels: ['kind'],
    read,
  });
  return [
    gauge(
      'balance_usd',
      'Sum of the posted balances of customers (posted), and of those below zero (overdrawn)',
      of('balances', 'usd'),
    ),
    gauge(
      'accounts',
      'Accounts of customers: all (posted), and those below what reversals explain (overdrawn)',
      of('balances', 'count'),
    ),
    gauge('holds', 'Open holds, by kind', of('holds', 'count')),
    gauge('holds_usd', 'Money in open holds, by kind', of('holds', 'usd')),
    gauge('hold_age_seconds', 'Age of the oldest open hold, by kind', of('holds', 'ageSeconds')),
    gauge('runs_open', 'Runs that have not ended, by status', of('runs', 'count')),
    gauge('run_age_seconds', 'Age of the oldest run that has not ended, by status', of('runs', 'ageSeconds')),
    gauge(
      'backlog',
      'What waits to be done: batches, settlements to post, webhooks to start, schedules to synchronize',
      of('backlog', 'count'),
    ),
    gauge('backlog_age_seconds', 'Age of the oldest of it', of('backlog', 'ageSeconds')),
    ...monthGauges(everywhere),
    {
      name: 'ledgerline_written_off_usd',
      help: 'What calls of today (UTC) cost beyond what they were charged: of all workspaces, and of the ten with most',
      labels: ['workspace'],
      read: async () => (await readWrittenOff(everywhere)).map(sampleOf),
    },
    {
      name: 'ledgerline_absorbed_usd',
      help: 'What failed runs of today (UTC) consumed, which nobody is billed: of all workspaces, and of the ten with most',
      labels: ['workspace'],
      read: async () => (await readAbsorbed(everywhere)).map(sampleOf),
    },
    {
      name: 'ledgerline_upstream_requests',
      help: 'Calls of the last hour by upstream and outcome',
      labels: ['upstream', 'outcome'],
      read: async () =>
        (await upstreams()).flatMap(({ upstream, requests, errors, refusals }) => [
          { labels: { upstream, outcome: 'served' }, value: requests - errors - refusals },
          { labels: { upstream, outcome: 'failed' }, value: errors },
          { labels: { upstream, outcome: 'refused' }, value: refusals },
        ]),
    },
    {
      name: 'ledgerline_upstream_first_byte_seconds',
      help: 'Median time to the first byte in the last hour',
      labels: ['upstream'],
      read: async () =>
        (await upstreams()).flatMap(({ upstream, firstByteP50Ms: ms }) =>
          ms === null ? [] : [{ labels: { upstream }, value: ms / 1000 }],
        ),
    },
  ];
}

const sampleOf = ({ workspace, usd }: Unpaid): Sample => ({ labels: { workspace }, value: usd });

/** The months of calls: how they leave, and what has none. */
const monthGauges = (everywhere: Database['everywhere']): ReadGauge[] => [
  {
    name: 'ledgerline_archive_months',
    help: 'Months of calls by the state of their archive, and those whose last move failed (failed)',
    labels: ['kind'],
    read: async () => samplesOf(await countArchivedMonths(everywhere)),
  },
  {
    name: 'ledgerline_rows_later',
    help: 'Calls and entries of months that have no partition yet',
    labels: ['kind'],
    read: async () => samplesOf(await countLater(everywhere)),
  },
];

const samplesOf = (counts: { kind: string; count: number }[]): Sample[] =>
  counts.map(({ kind, count }) => ({ labels: { kind }, value: count }));
