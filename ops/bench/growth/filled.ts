import { Client } from 'pg';
import { migrate } from '../../../db/postgres/migrations.ts';
import { startPostgres } from '../../stack/postgres.ts';
import { fill } from './fill.ts';

export type FilledServer = Awaited<ReturnType<typeof openFilled>>;

// Only the measured operations change or read pages.
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  autovacuum: 'off',
  max_wal_size: '3GB',
  checkpoint_timeout: '1h',
  maintenance_work_mem: '512MB',
};

/** A PostgreSQL in this folder with one database for each number of calls; fills missing ones. */
export async function openFilled(folder: string, sizes: number[], print: (text: string) => void) {
  const postgres = await startPostgres({ dataDir: folder, settings: SETTINGS, log: () => {} });
  const urlOf = (url: string, size: number) => Object.assign(new URL(url), { pathname: `/calls_${size}` }).href;
  const ownerUrlOf = (size: number) => urlOf(postgres.url, size);
  const applicationUrlOf = (size: number) => urlOf(postgres.applicationUrl, size);
  await withClient(postgres.url, async (server) => {
    for (const size of sizes) {
      const { rowCount } = await server.query('select from pg_database where datname = $1', [`calls_${size}`]);
      if (rowCount) {
        await migrate(ownerUrlOf(size), applicationUrlOf(size));
        continue;
      }
      await server.query('create database filling');
      const owner = Object.assign(new URL(postgres.url), { pathname: '/filling' }).href;
      await migrate(owner, Object.assign(new URL(postgres.applicationUrl), { pathname: '/filling' }).href);
      await withClient(owner, async (client) => {
        await client.query('create extension pg_stat_statements');
        await fill(client, size, print);
      });
      await server.query(`alter database filling rename to calls_${size}`);
    }
  });
  return { ownerUrlOf, applicationUrlOf, close: () => postgres.stop() };
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
