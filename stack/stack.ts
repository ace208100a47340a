import { join } from 'node:path';
import { createSealingKey } from '../db/agents/sealingKeys.ts';
import { localUrl } from './address.ts';
import { type LineLog, stopRemainingChildren } from './child.ts';
import { bootstrapKey, runCommand } from './command.ts';
import type { StackConfig } from './config.ts';
import { environmentFileName, keepSecret, writeEnvironmentFile } from './environmentFile.ts';
import { openLogFile } from './logFile.ts';
import { firstTextModel, waitForModel } from './model.ts';
import { noticeIn } from './notice.ts';
import { answerComplaint, choosePort, freePort } from './port.ts';
import { preflight } from './preflight.ts';
import { type ProgramSetting, apiPart, modelPart, workerPart } from './programs.ts';
import { postgresPart, temporalPart } from './servers.ts';
import {
  type Delays,
  type Part,
  type Running,
  type Supervised,
  supervise,
  usualDelays,
  watchedDelays,
} from './supervise.ts';
import type { Terminal } from './terminal.ts';

/** Where everything is, once it is up. */
export type Installation = {
  apiUrl: string;
  temporalUiUrl?: string;
  /** The first workspace's key, at the start that made it. */
  key: string | null;
  /** A model to send the first request to, when one can answer. */
  textModel?: string;
  /** Why the embedded model does not answer, when it should and does not. */
  modelComplaint?: string;
};

/** The parts of one running installation. */
export class Stack {
  readonly #config: StackConfig;
  readonly #terminal: Terminal;
  readonly #isWatched: boolean;
  /** In the order in which they are needed; ended the other way round. */
  readonly #tiers: Supervised[][] = [[], [], [], []];
  #release: (() => Promise<void>) | undefined;
  #isStopping = false;
  #temporalUiUrl: string | undefined;

  constructor(config: StackConfig, terminal: Terminal, { isWatched }: { isWatched: boolean }) {
    this.#config = config;
    this.#terminal = terminal;
    this.#isWatched = isWatched;
  }

  /**
   * Brings everything up.
   * @throws a sentence that says what to do when a part that cannot be done without does not come up.
   */
  async start(): Promise<Installation> {
    this.#release = (await preflight(this.#config)).release;
    const port = this.#config.port || (await freePort());
    const apiUrl = localUrl(this.#config.host, port);
    const [database, TEMPORAL_ADDRESS, model] = await Promise.all([
      this.#startPostgres(),
      this.#startTemporal(),
      this.#startModel(),
    ]);
    const { temporalNamespace: TEMPORAL_NAMESPACE } = this.#config;
    const { url: DATABASE_URL, ownerUrl } = database;
    const addresses = { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, EMBEDDED_URL: model.url };
    const env = this.#environment({ ...addresses, PORT: String(port) });
    const key = await this.#prepareDatabase(env, ownerUrl);
    // Only now: what does not answer, later commands had better not ask.
    const secrets = { PLUGIN_SECRETS_KEY: await this.#pluginSecretsKey() };
    await writeEnvironmentFile(join(this.#config.dataDir, environmentFileName), { ...addresses, ...secrets });
    await this.#startFront(env, secrets, apiUrl);
    const textModel = await firstTextModel(this.#config.catalogFile, { hasEmbeddedModel: model.url !== undefined });
    const modelComplaint = await model.complaint;
    return { apiUrl, temporalUiUrl: this.#temporalUiUrl, key, textModel, modelComplaint };
  }

  /** Ends everything: what takes requests first, what keeps data last. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const tier of this.#tiers.toReversed()) {
      await Promise.all(tier.map((part) => part.stop()));
    }
    await stopRemainingChildren();
    await this.#release?.();
  }

  /** The database by the application's login, and by its owner's. */
  async #startPostgres(): Promise<{ url: string; ownerUrl: string }> {
    const { databaseUrl, migrationDatabaseUrl = databaseUrl } = this.#config;
    if (databaseUrl) return { url: databaseUrl, ownerUrl: migrationDatabaseUrl! };
    const { applicationUrl, url } = await this.#bringUp(0, postgresPart(this.#config, this.#logOf('postgres')));
    return { url: applicationUrl, ownerUrl: url };
  }

  async #startTemporal(): Promise<string> {
    const { temporalAddress } = this.#config;
    if (temporalAddress) {
      const complaint = await answerComplaint(temporalAddress);
      if (complaint) throw new Error(`TEMPORAL_ADDRESS: nothing answers at ${temporalAddress} (${complaint}).`);
      return temporalAddress;
    }
    const { progress } = this.#terminal;
    const { address, uiUrl } = await this.#bringUp(1, temporalPart(this.#config, progress, this.#logOf('temporal')));
    this.#temporalUiUrl = uiUrl;
    return address;
  }

  /** The model may take its time: the rest does not wait for it. */
  async #startModel(): Promise<{ url?: string; complaint?: Promise<string | undefined> }> {
    const { embeddedUrl, hasEmbeddedModel, dataDir } = this.#config;
    if (embeddedUrl || !hasEmbeddedModel) return { url: embeddedUrl };
    const port = await choosePort('the embedded model', join(dataDir, 'modelPort'), {});
    const env = this.#environment({ EMBEDDED_PORT: String(port), EMBEDDED_HOST: '127.0.0.1' });
    const up = this.#bringUp(2, modelPart(this.#setting('model', env)));
    const url = `http://127.0.0.1:${port}/v1`;
    const complaint = Promise.race([waitForModel(url), this.#failureOf(up)]);
    // It is told at the end of a start that gets there.
    complaint.catch(() => undefined);
    return { url, complaint };
  }

  /** Rejects when the part ended by itself, as for a bad setting. That it is slow is only said. */
  #failureOf(up: Promise<Running>): Promise<never> {
    return new Promise((_resolve, reject) => {
      up.catch((error: Error) => {
        if (this.#isStopping) return;
        if (error.message.includes('exited with code')) reject(error);
        else this.#terminal.say(error.message);
      });
    });
  }

  async #prepareDatabase(env: NodeJS.ProcessEnv, ownerUrl: string): Promise<string | null> {
    await runCommand(['db/migrate.ts'], this.#config.projectDir, { ...env, MIGRATION_DATABASE_URL: ownerUrl });
    this.#terminal.say('The database has the tables of this version');
    return bootstrapKey(this.#config.projectDir, env);
  }

  async #pluginSecretsKey(): Promise<string> {
    const { pluginSecretsKey, dataDir } = this.#config;
    return pluginSecretsKey ?? keepSecret(join(dataDir, 'pluginSecretsKey'), createSealingKey);
  }

  /** Only the worker calls plugins: the API does not get the key of their credentials. */
  async #startFront(env: NodeJS.ProcessEnv, secrets: NodeJS.ProcessEnv, apiUrl: string): Promise<void> {
    const api = apiPart(this.#setting('api', env), apiUrl);
    await Promise.all([
      this.#bringUp(3, api),
      this.#bringUp(3, workerPart(this.#setting('worker', { ...env, ...secrets }))),
    ]);
  }

  get #delays(): Delays {
    return this.#isWatched ? watchedDelays : usualDelays;
  }

  async #bringUp<R extends Running>(tier: number, part: Part<R>): Promise<R> {
    if (this.#isStopping) throw new Error('The start was interrupted.');
    let isUp = false;
    // That it did not start the first time is told by whoever waits for it.
    const supervised = supervise(part, (text) => isUp && this.#terminal.say(text), this.#delays);
    this.#tiers[tier]!.push(supervised);
    const outcome = await Promise.race([supervised.up, supervised.failed]);
    if (outcome instanceof Error) throw outcome;
    isUp = true;
    this.#terminal.say(`${part.name} is up`);
    return outcome;
  }

  #environment(variables: Record<string, string | undefined>): NodeJS.ProcessEnv {
    const { environment, dataDir, host } = this.#config;
    // What Node made of the sources at an earlier start: a third less time to the next, and no compiler of types in memory.
    const NODE_COMPILE_CACHE = join(dataDir, 'compile-cache');
    // The owner's login is for migrations alone, the plugins' key for the worker.
    const hidden = { MIGRATION_DATABASE_URL: undefined, PLUGIN_SECRETS_KEY: undefined };
    return { NODE_COMPILE_CACHE, ...environment, ...hidden, DATA_DIR: dataDir, HOST: host, ...variables };
  }

  #setting(name: string, env: NodeJS.ProcessEnv): ProgramSetting {
    return { cwd: this.#config.projectDir, env, log: this.#logOf(name), isWatched: this.#isWatched };
  }

  #logOf(name: string): LineLog {
    const write = openLogFile(join(this.#config.dataDir, 'logs', `${name}.log`));
    return (line) => {
      write(line);
      const notice = noticeIn(line);
      if (notice?.kind === 'warning') this.#terminal.say(`[${name}] ${notice.text}`);
      if (notice?.kind === 'progress') this.#terminal.progress(notice.text);
    };
  }
}
