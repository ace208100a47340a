import type { Database } from '../db/database.ts';
import type { ReadGauge } from './metrics.ts';

/** The connections of this process to the database, and whether it may spend. */
export const poolGauges = ({ pool, ledger }: Pick<Database, 'pool' | 'ledger'>): ReadGauge[] => [
  {
    name: 'ledgerline_pool_connections',
    help: 'Connections of the main pool, by state',
    labels: ['state'],
    read: () => [
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
    ],
  },
  {
    name: 'ledgerline_pool_waiting',
    help: 'Queries that wait for a connection of the main pool',
    read: () => [{ value: pool.waitingCount }],
  },
  {
    name: 'ledgerline_ledger_healthy',
    help: 'Whether this process can place holds: 1 or 0',
    read: () => [{ value: ledger.healthy() ? 1 : 0 }],
  },
];
