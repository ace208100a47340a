import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rows } from '../db/postgres/rows.ts';
import type { ReadGauge } from '../base/telemetry/metrics.ts';
import { fresh } from './fresh.ts';

const FRESH_MS = 5_000;
// The server looks at each file of the database.
const SIZE_FRESH_MS = 60_000;

interface Connections {
  used: number;
  max: number;
  reserved: number;
}

/** The database's connections and size. `diskDir`: a folder on its disk; undefined: this machine does not see it. */
export function databaseGauges(everywhere: Rows<undefined>, diskDir: string | undefined): ReadGauge[] {
  const connections = fresh(FRESH_MS, () => readOne<Connections>(everywhere, CONNECTIONS));
  const size = fresh(SIZE_FRESH_MS, () => readOne<{ bytes: number }>(everywhere, SIZE));
  const gauges: ReadGauge[] = [
    {
      name: 'ledgerline_database_connections',
      help: 'Connections of the PostgreSQL server: used by all programs, the most it takes (max), and those kept for superusers (reserved)',
      labels: ['kind'],
      read: async () => Object.entries(await connections()).map(([kind, value]) => ({ labels: { kind }, value })),
    },
    {
      name: 'ledgerline_database_bytes',
      help: 'Size of the database on its disk, without its log',
      read: async () => [{ value: (await size()).bytes }],
    },
  ];
  if (diskDir === undefined) return gauges;
  const disk: ReadGauge = {
    name: 'ledgerline_database_disk_bytes',
    help: "The database's disk, where this machine sees it: its size, and what is free for it",
    labels: ['kind'],
    read: async () => {
      const { blocks, bavail, bsize } = await statfs(diskDir);
      return [
        { labels: { kind: 'size' }, value: blocks * bsize },
        { labels: { kind: 'free' }, value: bavail * bsize },
      ];
    },
  };
  return [...gauges, disk];
}

/** The folder of the database that `npm start` runs beside this process; undefined: it runs elsewhere. */
export function bundledDiskDir(dataDir: string): string | undefined {
  const cluster = join(dataDir, 'postgres', 'cluster');
  return existsSync(join(cluster, 'postmaster.pid')) ? cluster : undefined;
}

async function readOne<Row extends object>(everywhere: Rows<undefined>, text: string): Promise<Row> {
  const { rows } = await everywhere.statement(({ client }) => client.query<Row>(text));
  return rows[0]!;
}

// Raw: no entities. A login without privileges sees the sums of all sessions only here.
const CONNECTIONS = `
select (select sum(numbackends)::int from pg_stat_database) as used, current_setting('max_connections')::int as max,
  current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true), '0')::int as reserved`;
const SIZE = `select pg_database_size(current_database())::float as bytes`;
