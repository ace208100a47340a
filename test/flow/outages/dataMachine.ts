import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findLimitsProgram } from '../../../ops/stack/limitsServer.ts';
import { startPostgres } from '../../../ops/stack/postgres.ts';
import { startChild } from '../../../ops/stack/process/child.ts';
import { startTemporal } from '../../../ops/stack/temporal.ts';
import { withClient } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { startProxy } from '../../support/network.ts';
import { findTestBinary } from '../../support/temporal.ts';

/**
 * The program of the data machine: PostgreSQL, Temporal and Valkey or Redis, open to the machines of its subnet. `argv[2]` is its address.
 * Prints one line of JSON, and ends on SIGTERM.
 */
const address = process.argv[2]!;
const redisPort = 6379;
const folder = await makeFolder();
const log = (): void => {};

const settings = { listen_addresses: `127.0.0.1,${address}`, fsync: 'off' };
const postgres = await startPostgres({ dataDir: folder.path, settings, log });
await appendFile(join(folder.path, 'cluster/pg_hba.conf'), `\nhost all all samenet scram-sha-256\n`);
await withClient(postgres.url, (owner) => owner.query('select pg_reload_conf()'));

const temporalDir = join(folder.path, 'temporal');
const temporal = await startTemporal({ dataDir: temporalDir, binary: await findTestBinary(), log });
const temporalPort = Number(temporal.address.split(':')[1]);
// Its parts reach each other only on the loopback interface.
const entrance = await startProxy(temporal.address, { host: address, port: temporalPort });
const limits = await startChild({
  command: findLimitsProgram(process.env.PATH ?? '')!,
  args: ['--port', String(redisPort), '--bind', address, '--protected-mode', 'no', '--save', ''],
  onStdout: log,
  onStderr: log,
  stopSignal: 'SIGTERM',
});

console.log(
  JSON.stringify({
    postgresUrl: postgres.url,
    ports: { PostgreSQL: postgres.port, Temporal: temporalPort, limits: redisPort },
  }),
);

process.once('SIGTERM', () => {
  void (async () => {
    await entrance.stop();
    await Promise.all([limits.stop(1_000), temporal.stop(), postgres.stop()]);
    await rm(folder.path, { recursive: true, force: true });
    process.exit();
  })();
});
