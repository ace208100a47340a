import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rows } from '../db/postgres/rows.ts';
import type { ReadGauge } from '../base/telemetry/metrics.ts';
import { fresh } from '../base/fresh.ts';

// The server looks at each file of the database.
const SIZE_FRESH_MS = 60_000;

/** The database's size. `diskDir`: a folder on its disk; undefined: this machine does not see it. */
export function databaseGauges(everywhere: Rows<undefined>, diskDir: string | undefined): ReadGauge[] {
  const size = fresh(SIZE_FRESH_MS, () => readOne<{ bytes: number }>(everywhere, SIZE));
  const gauges: ReadGauge[] = [
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

// Raw: no entities.
const SIZE = `select pg_database_size(current_database())::float as bytes`;
