import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEMPORAL_VARIABLES } from '../../base/temporalSettings.ts';
import { type LineLog, stopRemainingChildren } from './process/child.ts';
import { bootstrap, type FirstAccess, runCommand } from './process/program.ts';
import { MEMORY_ENVIRONMENT, type StackConfig } from './config.ts';
import { type KeyFile, keepKeys } from './backup/secrets.ts';
import { ENVIRONMENT_FILE_NAME, keepSecret, writeEnvironmentFile } from './environmentFile.ts';
import { openPartLog } from './process/partLog.ts';
import {
  firstTextModel,
  MODEL_IS_LATE,
  waitForModel,
  type ProgramSetting,
  apiPart,
  limitsPart,
  modelPart,
  workerPart,
  postgresPart,
  testPaymentsPart,
  temporalPart,
} from './parts.ts';
import { answerComplaint, choosePort, freePort } from './process/port.ts';
import { localPageUrl, localUrl } from '../../base/web.ts';
import { buildAll } from './builds/buildAll.ts';
import { arePagesBuilt } from './builds/pages.ts';
import { preflight } from './preflight.ts';
import { trialNotice } from './trialNotice.ts';
import {
  type Delays,
  type Part,
  type Running,
  type Supervised,
  supervise,
  USUAL_DELAYS,
  WATCHED_DELAYS,
} from './process/supervise.ts';
import { addressesOf, chooseTemporalPorts } from './temporal.ts';
import type { Installation, Terminal } from './terminal.ts';

// The summary waits this long for an embedded model that is nearly ready; a longer download is reported later.
const MODEL_WAIT_MS = 10_000;

/** The parts of one running installation. */
export class Stack {
  readonly #config: StackConfig;
  readonly #terminal: Terminal;
  readonly #isWatched: boolean;
  /** In the order of their dependencies; ended in reverse order. */
  readonly #tiers: Supervised[][] = [[], [], [], []];
  readonly #building = new AbortController();
  #release: (() => Promise<void>) | undefined;
  #isStopping = false;

  constructor(config: StackConfig, terminal: Terminal, { isWatched }: { isWatched: boolean }) {
    this.#config = config;
    this.#terminal = terminal;
    this.#isWatched = isWatched;
  }

  /**
   * Starts the parts for synchronous calls: the database, the API, and the embedded model if it does not take long. `complete` resolves
   * once the rest runs (Temporal, the worker, the model), or with why the model does not answer. Until then runs and reviews are queued.
   * @throws (`complete` too) a message with instructions if a required part does not start.
   */
  async start(): Promise<{ installation: Installation; complete: Promise<string | undefined> }> {
    this.#release = (await preflight(this.#config)).release;
    const notice = trialNotice(this.#config);
    if (notice) this.#terminal.say(notice);
    const port = this.#config.port || (await freePort());
    const apiUrl = localUrl(this.#config.host, port);
    const consoleUrl = this.#config.publicUrl ?? localPageUrl(this.#config.host, port);
    const temporal = await this.#placeTemporal();
    const [database, model] = await Promise.all([this.#startPostgres(), this.#startModel()]);
    const { url: DATABASE_URL, ownerUrl } = database;
    const addresses = {
      DATABASE_URL,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: this.#config.temporalNamespace,
      EMBEDDED_URL: model.url,
    };
    const payments = this.#config.hasStripe ? {} : await this.#startTestPayments(apiUrl);
    const env = this.#environment({
      ...addresses,
      ...payments,
      LIMITS_REDIS_URL: await this.#startLimits(),
      TEMPORAL_UI_URL: temporal.uiUrl,
      PORT: String(port),
      PUBLIC_URL: consoleUrl,
      CATALOG_SECRETS_KEY: await this.#keptKey('catalogSecretsKey'),
    });
    const { key, signInPath } = await this.#prepareDatabase(env, ownerUrl);
    const secrets = { PLUGIN_SECRETS_KEY: await this.#keptKey('pluginSecretsKey') };
    const { CATALOG_SECRETS_KEY } = env;
    const apiSecrets = { CONTENTS_KEY: await this.#keptKey('contentsKey'), CATALOG_SECRETS_KEY };
    await writeEnvironmentFile(join(this.#config.dataDir, ENVIRONMENT_FILE_NAME), {
      ...Object.fromEntries(TEMPORAL_VARIABLES.map((name) => [name, this.#config.environment[name]])),
      ...addresses,
      ...secrets,
      ...apiSecrets,
      PUBLIC_URL: consoleUrl,
    });
    // Only the worker calls plugins: the API does not get the key that decrypts their credentials.
    let isWorking = false;
    const worker = temporal.up
      .then(() => this.#bringUp(3, workerPart(this.#setting('worker', { ...env, ...secrets, ...workerPortOf(env) }))))
      .then(() => (isWorking = true));
    const up = this.#bringUp(3, apiPart(this.#setting('api', { ...env, ...apiSecrets }), apiUrl));
    const complete = Promise.all([model.complaint, worker, up.then(() => this.#build(consoleUrl))]).then(
      ([complaint]) => complaint,
    );
    // The failure is reported once the API is up.
    complete.catch(() => undefined);
    await up;
    const textModel = await firstTextModel(this.#config.catalogFile, { hasEmbeddedModel: model.url !== undefined });
    const modelComplaint = await Promise.race([model.complaint, sleep(MODEL_WAIT_MS, MODEL_IS_LATE, { ref: false })]);
    const installation = {
      apiUrl,
      consoleUrl,
      signInUrl: signInPath && consoleUrl + signInPath,
      temporalUiUrl: temporal.uiUrl,
      key,
      textModel,
      modelComplaint,
      isWorking,
      hasPages: await arePagesBuilt(this.#config.projectDir),
    };
    return { installation, complete };
  }

  /** Stops everything: parts that take requests first, parts that store data last. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#building.abort();
    for (const tier of this.#tiers.toReversed()) {
      await Promise.all(tier.map((part) => part.stop()));
    }
    await stopRemainingChildren();
    await this.#release?.();
  }

  /** The database's addresses for the application's login and its owner's. */
  async #startPostgres(): Promise<{ url: string; ownerUrl: string }> {
    const { databaseUrl, migrationDatabaseUrl = databaseUrl } = this.#config;
    if (databaseUrl) return { url: databaseUrl, ownerUrl: migrationDatabaseUrl! };
    const { localUrl, url } = await this.#bringUp(0, postgresPart(this.#config, this.#logOf('postgres')));
    return { url: localUrl, ownerUrl: url };
  }

  /** The addresses of Temporal, perhaps before it runs: obtaining its program may take minutes, for which only runs and reviews wait. */
  async #placeTemporal(): Promise<{ address: string; uiUrl?: string; up: Promise<unknown> }> {
    const { temporalAddress: address, dataDir } = this.#config;
    if (address) {
      const complaint = await answerComplaint(address);
      if (complaint) throw new Error(`TEMPORAL_ADDRESS: nothing answers at ${address} (${complaint}).`);
      return { address, up: Promise.resolve() };
    }
    const ports = await chooseTemporalPorts(join(dataDir, 'temporal'));
    const part = temporalPart(this.#config, {
      ports,
      onProgress: this.#terminal.progress,
      log: this.#logOf('temporal'),
    });
    return { ...addressesOf(ports), up: this.#keepUp(1, part) };
  }

  /** The other parts do not wait for the model. */
  async #startModel(): Promise<{ url?: string; complaint?: Promise<string | undefined> }> {
    const { embeddedUrl, hasEmbeddedModel, dataDir, embeddedPort: wanted } = this.#config;
    if (embeddedUrl || !hasEmbeddedModel) return { url: embeddedUrl };
    const port = await choosePort('the embedded model', join(dataDir, 'modelPort'), { wanted });
    const env = this.#environment({ EMBEDDED_PORT: String(port), EMBEDDED_HOST: '127.0.0.1' });
    const up = this.#bringUp(2, modelPart(this.#setting('model', env)));
    const url = `http://127.0.0.1:${port}/v1`;
    const complaint = Promise.race([waitForModel(url), this.#failureOf(up)]);
    // Read when the API is up.
    complaint.catch(() => undefined);
    return { url, complaint };
  }

  /** The address of the store for the limits of several API processes; undefined: a single process counts alone. */
  async #startLimits(): Promise<string | undefined> {
    const { apiProcesses, limitsUrl, dataDir } = this.#config;
    if (limitsUrl !== undefined || apiProcesses === 1) return limitsUrl;
    const port = await choosePort('the server of limits', join(dataDir, 'limitsPort'), {});
    await this.#bringUp(0, limitsPart(this.#config, port, this.#logOf('limits')));
    return `redis://127.0.0.1:${port}`;
  }

  /** Payments without Stripe: a page that takes test payments. Returns the addresses and secrets for the API. */
  async #startTestPayments(apiUrl: string): Promise<Record<string, string>> {
    const { dataDir, testPaymentsPort: wanted } = this.#config;
    const port = await choosePort('the test payments', join(dataDir, 'testPaymentsPort'), { wanted });
    const keep = (file: string, prefix: string) =>
      keepSecret(join(dataDir, file), () => `${prefix}_${randomBytes(16).toString('hex')}`);
    const secrets = {
      STRIPE_SECRET_KEY: await keep('testPaymentsKey', 'sk_test'),
      STRIPE_WEBHOOK_SECRET: await keep('testPaymentsSigning', 'whsec'),
    };
    const STRIPE_WEBHOOK_URL = `${apiUrl}/platform/v1/billing/stripe/webhook`;
    const env = this.#environment({ ...secrets, STRIPE_WEBHOOK_URL, TEST_PAYMENTS_PORT: String(port) });
    // Only payments need it, so a failed start is only printed.
    this.#bringUp(2, testPaymentsPart(this.#setting('payments', env))).catch((error: Error) => {
      if (!this.#isStopping) this.#terminal.say(error.message);
    });
    return { ...secrets, STRIPE_API_URL: localUrl(this.#config.host, port) };
  }

  /** Builds the console and the packages for customers while the API already answers: the first build installs packages. */
  #build(consoleUrl: string): Promise<void> {
    const { projectDir, environment: env } = this.#config;
    const say = (text: string) => void (this.#isStopping || this.#terminal.say(text));
    const { signal } = this.#building;
    const onProgress = this.#terminal.progress;
    return buildAll({ projectDir, env, consoleUrl, onProgress, signal, say, logOf: (name) => this.#logOf(name) });
  }

  /** Rejects when the part ended by itself, for example because of an invalid setting. A slow start is only reported. */
  #failureOf(up: Promise<Running>): Promise<never> {
    return new Promise((_resolve, reject) => {
      up.catch((error: Error) => {
        if (this.#isStopping) return;
        if (error.message.includes('exited with code')) reject(error);
        else this.#terminal.say(error.message);
      });
    });
  }

  async #prepareDatabase(env: NodeJS.ProcessEnv, ownerUrl: string): Promise<FirstAccess> {
    await runCommand(['db/migrate.ts'], this.#config.projectDir, { ...env, MIGRATION_DATABASE_URL: ownerUrl });
    this.#terminal.say('The database has the tables of this version');
    return bootstrap(this.#config.projectDir, env);
  }

  /** The configured key; without one, that of a file in the data folder. */
  #keptKey = async (name: KeyFile): Promise<string> => this.#config[name] ?? keepKeys(this.#config, name);

  get #delays(): Delays {
    return this.#isWatched ? WATCHED_DELAYS : USUAL_DELAYS;
  }

  /** Resolves when the part is up. Rejects when its first start fails: the caller reports that. */
  async #bringUp<R extends Running>(tier: number, part: Part<R>): Promise<R> {
    let isUp = false;
    const supervised = this.#supervise(tier, part, (text) => isUp && this.#terminal.say(text));
    const outcome = await Promise.race([supervised.up, supervised.failed]);
    if (outcome instanceof Error) throw outcome;
    isUp = true;
    this.#terminal.say(`${part.name} is up`);
    return outcome;
  }

  /** Resolves when the part is up. Each failed start before that is printed. */
  async #keepUp<R extends Running>(tier: number, part: Part<R>): Promise<R> {
    const running = await this.#supervise(tier, part, this.#terminal.say).up;
    this.#terminal.say(`${part.name} is up`);
    return running;
  }

  #supervise<R extends Running>(tier: number, part: Part<R>, report: (text: string) => void): Supervised<R> {
    if (this.#isStopping) throw new Error('The start was interrupted.');
    const supervised = supervise(part, report, this.#delays);
    this.#tiers[tier]!.push(supervised);
    return supervised;
  }

  #environment(variables: Record<string, string | undefined>): NodeJS.ProcessEnv {
    const { environment, dataDir, host } = this.#config;
    // Node's compile cache of earlier starts: saves a third of the start time, and the memory of the type stripper.
    const NODE_COMPILE_CACHE = join(dataDir, 'compile-cache');
    // Only migrations get the owner's login, and only the worker the plugins' key.
    const hidden = { MIGRATION_DATABASE_URL: undefined, PLUGIN_SECRETS_KEY: undefined };
    return {
      NODE_COMPILE_CACHE,
      ...MEMORY_ENVIRONMENT,
      ...environment,
      ...hidden,
      DATA_DIR: dataDir,
      HOST: host,
      ...variables,
    };
  }

  #setting(name: string, env: NodeJS.ProcessEnv): ProgramSetting {
    const say = (text: string) => void (this.#isStopping || this.#terminal.say(text));
    return { cwd: this.#config.projectDir, env, log: this.#logOf(name), say, isWatched: this.#isWatched };
  }

  #logOf(name: string): LineLog {
    return openPartLog(name, { dataDir: this.#config.dataDir, terminal: this.#terminal });
  }
}

/** The worker's port for metrics: the next after the API's, on the same machine. */
function workerPortOf({ METRICS_PORT: port }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return port && port !== '0' ? { METRICS_PORT: String(Number(port) + 1) } : {};
}
