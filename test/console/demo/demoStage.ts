import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { readApiConfig } from '../../../api/config.ts';
import { serve } from '../../../api/serve.ts';
import { createLog } from '../../../base/log.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { startTestPayments, type PaymentsSetting } from '../../../rules/payments/server.ts';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf } from '../../support/database.ts';
import globalSetup from '../../support/globalSetup.ts';
import globalTeardown from '../../support/globalTeardown.ts';
import { apiCommand } from '../../support/startApi.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { steadyPort } from '../../support/network.ts';
import { demoCatalog } from './catalog.ts';
import { startDemoClock } from './demoClock.ts';
import { answerOf } from './modelAnswers.ts';

const WEBHOOK_PATH = '/platform/v1/billing/stripe/webhook';

export interface DemoOptions {
  /** The port of the API and its pages; a free one by default. */
  port?: number | undefined;
  /** The folder of the console's built pages; this checkout's by default. */
  pagesDir?: string | undefined;
  /** The time at which it takes place, as ISO 8601; by default the present. */
  at?: string | undefined;
  print: (text: string) => void;
}

export type DemoStage = Awaited<ReturnType<typeof startDemo>>;

/**
 * The whole product on this machine for demonstrations: API with its pages, worker, Temporal, test payments, and models that answer by
 * rules. It has a database and ports of its own, so several may run at once.
 */
export async function startDemo({ port, pagesDir, at, print }: DemoOptions) {
  const endings: (() => Promise<unknown>)[] = [];
  const keep = <Part>(part: Part, end: (part: Part) => Promise<unknown>): Part => {
    endings.unshift(() => end(part));
    return part;
  };
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0)) await end().catch((error: unknown) => print(String(error)));
  };
  try {
    if (!process.env.TEST_DATABASE_URL) {
      await globalSetup();
      endings.unshift(() => globalTeardown());
    }
    print('database and Temporal');
    const database = keep(await makeDatabase(), (made) => made.drop());
    const clock = at === undefined ? undefined : keep(await startDemoClock(database.url, at), (own) => own.close());
    const temporal = keep(await startTestTemporal(), (started) => started.stop());
    const upstream = keep(await startScripted(), (started) => started.stop());
    upstream.script(answerOf);
    const chosenPort = port ?? (await steadyPort());
    const url = `http://127.0.0.1:${chosenPort}`;
    const payments = await startPayments(url);
    endings.unshift(() => payments.close());
    const sealingKey = createSealingKey();
    const addresses = { databaseUrl: database.url, upstreamUrl: upstream.url, catalog: demoCatalog };
    const env = {
      PORT: String(chosenPort),
      PUBLIC_URL: url,
      TEMPORAL_ADDRESS: temporal.address,
      WEBHOOK_LOOPBACK: 'on',
      PLUGIN_SECRETS_KEY: sealingKey,
      CONTENTS_KEY: createSealingKey(),
      CATALOG_SECRETS_KEY: createSealingKey(),
      EARNINGS_MATURE_DAYS: '7',
      // The buttons alone: a demonstration is registered nowhere.
      GOOGLE_CLIENT_ID: 'demo',
      GOOGLE_CLIENT_SECRET: 'demo',
      GITHUB_CLIENT_ID: 'demo',
      GITHUB_CLIENT_SECRET: 'demo',
      ...payments.env,
    };
    print('API and worker');
    const api = keep(await startPages({ ...addresses, env }, pagesDir), (started) => started.stop());
    const workerEnv = { SANDBOX_TIER: 'quickjs', ...env, ...clock?.workerEnv };
    const worker = { ...addresses, temporalAddress: temporal.address, env: workerEnv };
    keep(await startWorkerProcess(worker), (started) => started.stop());
    const db = keep(await openTestDatabase({ url: database.url, spends: false }), (opened) => opened.close());
    const owner = keep(new Client({ connectionString: ownerUrlOf(database.url) }), (client) => client.end());
    await owner.connect();
    const sealingKeys = parseSealingKeys(sealingKey);
    return { url, catalogFile: api.catalogFile, db, owner, payments, sealingKeys, clock, keep, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startPayments(apiUrl: string) {
  const setting: PaymentsSetting = {
    host: '127.0.0.1',
    port: 0,
    secretKey: `sk_test_${randomUUID().replaceAll('-', '')}`,
    webhookSecret: `whsec_${randomUUID().replaceAll('-', '')}`,
    webhookUrl: apiUrl + WEBHOOK_PATH,
  };
  const payments = await startTestPayments(setting);
  const env = {
    STRIPE_SECRET_KEY: setting.secretKey,
    STRIPE_WEBHOOK_SECRET: setting.webhookSecret,
    STRIPE_API_URL: payments.url,
  };
  /** Resolves once every event was taken. */
  const settled = () => until(() => payments.deliveries.every(({ status }) => status === 200));
  return { ...payments, env, settled };
}

/** The API in this process, with the pages of any folder. */
async function startPages(setting: Parameters<typeof apiCommand>[0], pagesDir?: string) {
  const { remove, env } = await apiCommand(setting);
  const log = createLog(env.LOG_LEVEL, { write: () => {} });
  const config = readApiConfig(env);
  const drain = await serve(pagesDir === undefined ? config : { ...config, pagesDir }, { log });
  const stop = async () => {
    await drain();
    await remove();
  };
  return { stop, catalogFile: env.MODEL_CATALOG_FILE };
}
