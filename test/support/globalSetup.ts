import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installClientPackages } from '../../ops/stack/builds/clients.ts';
import { startPostgres } from '../../ops/stack/postgres.ts';
import { makeClusterFolder } from './clusterFolder.ts';
import { keepForTeardown } from './globalTeardown.ts';

const projectDir = join(import.meta.dirname, '..', '..');

/** One PostgreSQL for the whole run, unless TEST_DATABASE_URL names one. The data live and die with the run. */
export default async function globalSetup(): Promise<void> {
  // Tests fetch no engines, and give the same results with fetched ones. Drills request the neural engines themselves.
  process.env.EMBEDDED_ENGINES ??= 'basic';
  // As `npm start` keeps it: a program then starts with a third of the CPU time.
  process.env.NODE_COMPILE_CACHE ??= join(projectDir, '.data', 'compile-cache');
  await installClient();
  if (process.env.TEST_DATABASE_URL) return;
  const folder = await makeClusterFolder();
  await chmod(folder, 0o755);
  // The data need not outlive the machine, so no commit waits for the disk.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '256MB',
    shared_preload_libraries: 'pg_stat_statements',
  };
  const postgres = await startPostgres({ dataDir: folder, settings, log: () => {} });
  process.env.TEST_DATABASE_URL = postgres.url;
  keepForTeardown(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });
}

/** Tests import the sources of the client, which have packages of their own. Without them only those tests fail. */
async function installClient(): Promise<void> {
  await installClientPackages({ projectDir, env: process.env, onProgress: console.log }).catch(console.error);
}
