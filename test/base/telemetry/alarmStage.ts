import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { createSealingKey } from '../../../db/sealing/sealingKeys.ts';
import { startChild, type Child } from '../../../ops/stack/process/child.ts';
import { freePort } from '../../../ops/stack/process/port.ts';
import { startLimitsServer } from '../../../ops/stack/limitsServer.ts';
import { startOwnPostgres } from '../../flow/outages/ownPostgres.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { makeFolder } from '../../support/folder.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { faster, programOf, readRules } from '../../support/monitoring.ts';
import { readText } from '../../support/sources.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

export const WEBHOOK_SECRET = 'whsec_of_drills';
const GRACE_MS = 10_000;
const SCRAPE_MS = 15_000;
const SCRAPE_LEAST_MS = 2_000;

/** How a worker is begun. */
type Begun = Pick<Parameters<typeof startWorkerProcess>[0], 'env' | 'enter'>;

export type AlarmStage = Awaited<ReturnType<typeof setAlarmStage>>;

/**
 * A whole installation with each part that can fail of its own: PostgreSQL with its archive, Valkey or Redis, Temporal, an API, two workers,
 * an upstream, a receiver of webhooks, a server with TLS; and a Prometheus with the rules of this repository, on a clock that many times
 * faster. `apiEnv` has more variables of the API, `firstWorker` those of one worker and how its process is entered.
 */
export async function setAlarmStage(
  factor: number,
  diskDir: string,
  { apiEnv = {}, firstWorker = {} }: { apiEnv?: Record<string, string>; firstWorker?: Begun } = {},
) {
  const folder = await makeFolder();
  const backupDir = join(folder.path, 'backups');
  await mkdir(join(backupDir, nameOfBackup(1)), { recursive: true, mode: 0o755 });
  const postgres = await startOwnPostgres({ archiveDir: join(backupDir, 'wal') });
  const temporal = await startTestTemporal();
  const limitsPort = await freePort();
  const startLimits = () =>
    startLimitsServer({ dataDir: folder.path, searchPath: process.env.PATH ?? '', port: limitsPort, log: () => {} });
  const limits = await startLimits();
  const tls = createTlsServer(makeCertificate(), (_, response) => response.end());
  await once(tls.listen(0, '127.0.0.1'), 'listening');
  const receiver = await startReceiver();
  const env = {
    METRICS_PORT: '0',
    TEMPORAL_ADDRESS: temporal.address,
    WEBHOOK_LOOPBACK: 'on',
    LIMITS_REDIS_URL: `redis://127.0.0.1:${limitsPort}`,
    STRIPE_SECRET_KEY: 'sk_test_of_drills',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    // Nobody listens: no payment is compared.
    STRIPE_API_URL: 'http://127.0.0.1:1',
  };
  const catalog = (upstreamUrl: string) => ({
    upstreams: { second: { baseUrl: upstreamUrl } },
    models: [
      {
        id: 'second-text',
        kind: 'text',
        aliases: [],
        outputTokensMax: 4096,
        upstreams: [{ upstream: 'second', model: 'scripted' }],
        usdPerMillion: { input_tokens: 0.3, output_tokens: 2.5 },
      },
    ],
  });
  const stage = await setGuardStage({
    env: { ...env, ...apiEnv },
    start: (setting) => startApiProcess({ ...setting, catalog: catalog(setting.upstreamUrl) }),
  });
  const workerEnv = {
    ...env,
    // Of one installation: each opens what the other one has sealed.
    PLUGIN_SECRETS_KEY: createSealingKey(),
    BACKUP_DIR: backupDir,
    DATABASE_DISK_DIR: diskDir,
    CERTIFICATE_URL: `https://127.0.0.1:${(tls.address() as AddressInfo).port}`,
  };
  const startWorker = ({ env: own = {}, enter }: Begun = {}) =>
    startWorkerProcess({ ...stage.addresses, temporalAddress: temporal.address, env: { ...workerEnv, ...own }, enter });
  const workers = [await startWorker(firstWorker), await startWorker()];
  const prometheus = await startPrometheus(folder.path, factor, {
    'ledgerline-api': [portIn(stage.api.lines)],
    'ledgerline-worker': workers.map(({ lines }) => portIn(lines)),
  });

  return {
    ...stage,
    postgres,
    temporal,
    limits,
    startLimits,
    backupDir,
    tls,
    receiver,
    workers,
    prometheus,
    close: async () => {
      await prometheus.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      await stage.close();
      await limits.stop(GRACE_MS);
      await temporal.stop();
      tls.close();
      receiver.close();
      await postgres.remove();
      await folder.remove();
    },
  };
}

/** A small disk in memory; undefined when this user may not mount one. */
export function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=755', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

/** The name of a backup that is so many hours old. */
export const nameOfBackup = (hours: number): string =>
  `backup-${new Date(Date.now() - hours * 3_600_000).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

/** A receiver of webhooks, which answers as it is told. */
async function startReceiver() {
  const state = { status: 200 };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(state.status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, state, close: () => server.close() };
}

/** An alert that fires now, by its labels. */
export type Firing = Record<string, string> & { alertname: string };

/** Prometheus with the files of ops/deploy/monitoring, these targets, and each duration divided by the factor. */
export async function startPrometheus(folder: string, factor: number, targets: Record<string, number[]>) {
  const settings = parse(readText('ops/deploy/monitoring/prometheus/prometheus.yml')) as {
    global: object;
    alerting?: object;
    scrape_configs: { job_name: string; static_configs: object[] }[];
  };
  // A part that is away delays a scrape by a second, on any clock.
  const scrape = `${Math.max(SCRAPE_LEAST_MS, Math.round(SCRAPE_MS / factor))}ms`;
  const evaluation = `${Math.round(SCRAPE_MS / factor)}ms`;
  settings.global = { scrape_interval: scrape, scrape_timeout: scrape, evaluation_interval: evaluation };
  delete settings.alerting;
  for (const job of settings.scrape_configs)
    job.static_configs = [{ targets: targets[job.job_name]!.map((port) => `127.0.0.1:${port}`) }];
  await writeFile(join(folder, 'prometheus.yml'), stringify(settings));
  await writeFile(join(folder, 'alerts.yml'), stringify(faster(readRules(), factor)));
  const port = await freePort();
  const child: Child = await startChild({
    command: programOf('prometheus')!,
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    cwd: folder,
    env: {},
    onStdout: () => {},
    onStderr: () => {},
    stopSignal: 'SIGTERM',
  });
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(error);
    return data;
  };
  /** The alerts that fire now, save the one that always does. */
  const firing = async (): Promise<Firing[]> => {
    const { alerts } = await read<{ alerts: { labels: Firing; state: string }[] }>('/api/v1/alerts');
    const now = alerts.filter(({ state, labels }) => state === 'firing' && labels.alertname !== 'Watchdog');
    return now.map(({ labels }) => labels);
  };
  await until(() => read('/api/v1/alerts').then(Boolean, () => false));
  // Until its first scrape it knows no process.
  const count = Object.values(targets).flat().length;
  await until(async () => (await read<{ result: object[] }>('/api/v1/query?query=up==1')).result.length === count);
  await until(async () => (await firing()).length === 0);
  return {
    firing,
    query: async (expr: string) =>
      (
        await read<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
          `/api/v1/query?query=${encodeURIComponent(expr)}`,
        )
      ).result,
    /** The scraped metrics by their names. */
    metadata: () => read<object>('/api/v1/metadata'),
    stop: () => child.stop(GRACE_MS),
  };
}

function portIn(lines: string[]): number {
  return (JSON.parse(lines.find((line) => line.includes('"event":"metrics"'))!) as { port: number }).port;
}

/** Stripe's event of a payment that no order explains. */
export const paymentOfNobody = (workspaceId: string) => ({
  object: 'event',
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  created: Math.floor(Date.now() / 1000),
  livemode: false,
  data: {
    object: {
      id: 'pi_1',
      status: 'succeeded',
      currency: 'usd',
      amount_received: 2500,
      livemode: false,
      metadata: { topup_id: 'topup_of_nobody', workspace_id: workspaceId },
    },
  },
});
