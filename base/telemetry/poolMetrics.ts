import type { ReadGauge } from './metrics.ts';

interface Connected {
  pool: { idleCount: number; totalCount: number; waitingCount: number };
  ledger: { healthy(): boolean; clockSkewMs(): number };
  connections: {
    max: { direct: number; pooled: number };
    read(): Promise<{ used: number; max: number; reserved: number; logins: Record<string, number> }>;
  };
  everywhere: { objects: { answers(): Promise<boolean> } | undefined };
}

/** This process's connections to the database and the object store, its clock, and whether it may spend. */
export const poolGauges = ({ pool, ledger, connections, everywhere: { objects } }: Connected): ReadGauge[] => [
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
    name: 'ledgerline_pool_connections_max',
    help: 'Connections that this process may open: to the database itself (direct), and to a pooler before it (pooled)',
    labels: ['kind'],
    read: () => Object.entries(connections.max).map(([kind, value]) => ({ labels: { kind }, value })),
  },
  {
    name: 'ledgerline_database_connections',
    help: "Connections of the database's server: open ones (used), max_connections (max), and those of it for superusers (reserved)",
    labels: ['kind'],
    read: async () => {
      const { used, max, reserved } = await connections.read();
      return Object.entries({ used, max, reserved }).map(([kind, value]) => ({ labels: { kind }, value }));
    },
  },
  {
    name: 'ledgerline_database_login_connections',
    help: "Open connections of the database's server, by login",
    labels: ['login'],
    read: async () =>
      Object.entries((await connections.read()).logins).map(([login, value]) => ({ labels: { login }, value })),
  },
  {
    name: 'ledgerline_ledger_healthy',
    help: 'Whether this process can place holds: 1 or 0',
    read: () => [{ value: ledger.healthy() ? 1 : 0 }],
  },
  {
    name: 'ledgerline_clock_skew_seconds',
    help: "By how much this process's clock is ahead of the database's",
    read: () => [ledger.clockSkewMs() / 1_000].filter(Number.isFinite).map((value) => ({ value })),
  },
  {
    name: 'ledgerline_file_store_up',
    help: 'Whether the store of FILES_S3_URL answers this process: 1, also where none is set, or 0',
    // A gauge without a value would read 0, which raises an alert.
    read: async () => [{ value: !objects || (await objects.answers()) ? 1 : 0 }],
  },
];
