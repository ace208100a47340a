import { existsSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { recordNetworkFee } from '../db/catalog/networkFee.ts';
import { createAgentModels } from '../db/agents/agentModels.ts';
import { createContents } from '../db/contents/contents.ts';
import { createArchive } from '../db/archive/archive.ts';
import { openArchiveFiles } from '../db/archive/archiveFiles.ts';
import { openDatabase, type Database } from '../db/database.ts';
import { checkConnections } from '../db/postgres/connectionUse.ts';
import { journalFolderOf } from '../db/ledger/deliveryJournal.ts';
import { createErrorLog } from '../base/log.ts';
import { portError } from '../base/portError.ts';
import { waitAtMost } from '../base/waiting.ts';
import { openCatalog, type LiveCatalog } from '../db/liveCatalog/liveCatalog.ts';
import { openSecret } from '../db/rotation/secretVersions.ts';
import { recordFilePrices } from '../db/liveCatalog/priceHistory.ts';
import { createCursors } from './http/signedCursor.ts';
import { createTemporal } from './temporal/temporal.ts';
import { createMailer } from '../providers/mail/mailer.ts';
import { createPayments } from '../providers/payments/stripe.ts';
import { implausibleUsageGauge } from '../providers/metering/implausibleUsage.ts';
import { upstreamGauges } from '../providers/upstreamOutcomes.ts';
import type { RulesThread } from '../rules/rulesThread.ts';
import type { LocalEngines } from '../providers/localEngines.ts';
import { createTextProviders } from '../providers/textProviders.ts';
import { routingGauges } from '../providers/routing/routingGauges.ts';
import { createRouting } from '../providers/routing/routing.ts';
import { ACCOUNT_ALARM, type AccountAlarm } from '../providers/routing/upstreamHealth.ts';
import { createRealtimeProviders } from '../providers/realtimeProviders.ts';
import { createVoiceProviders } from '../providers/voiceProviders.ts';
import { removeStaleTempFiles } from '../base/temporaryFiles.ts';
import { openListener } from '../base/telemetry/listener.ts';
import { openMetrics } from '../base/telemetry/metrics.ts';
import { poolGauges } from '../base/telemetry/poolMetrics.ts';
import { answerSupervisor } from '../base/telemetry/processes.ts';
import { findFaults } from './platform/health.ts';
import { partGauges } from './platform/partGauges.ts';
import type { Services } from './services.ts';
import { createApp } from './app.ts';
import type { ApiConfig } from './config.ts';
import { openLimits } from './guard/limits.ts';
import { logRefusal } from './log.ts';
import { createTemporalSchedules } from '../orders/temporalSchedules.ts';
import { createPluginSignIns } from './temporal/pluginSignIns.ts';
import { createToolTests } from './temporal/toolTests.ts';
import { createReviews } from './temporal/reviews.ts';
import { createRunStarter } from './temporal/runStarter.ts';
import { watchConnections, type Drain } from './http/connections.ts';
import { createServer } from './http/flatResponse.ts';
import { watchAwaitedModel } from './starters/awaitedModel.ts';
import { createShutdown, CUT_LIMIT_MS } from './http/shutdown.ts';
import { answerUpgrades } from './sockets/upgrade.ts';
import { cancelRunsOnNotice } from './runs/cancelOnNotice.ts';
import { refuseBadRequests, SERVER_OPTIONS, TLS_SERVER_OPTIONS } from './server.ts';

/**
 * Opens the API's services and listens. Resolves with a function that ends it. Several may run in one process: `main.ts` handles the
 * process itself.
 */
export async function serve(
  config: ApiConfig,
  {
    log,
    onListening = () => {},
    isSupervised = false,
  }: {
    log: Logger;
    onListening?: () => void;
    /** Whether it is one of several processes: then their supervisor listens for operators. */
    isSupervised?: boolean;
  },
): Promise<() => Promise<void>> {
  const { services, close } = await openServices(config, log);
  const stopAnswering = await answerOperators(config, services, isSupervised);
  const answer = createApp(services).callback();
  const handle: RequestListener = (req, res) => void answer(req, res);

  const drains = [await listen(createServer(SERVER_OPTIONS, handle), config.port, 'http')];
  if (config.tls) {
    const { port, ...identity } = config.tls;
    drains.push(await listen(createTlsServer({ ...TLS_SERVER_OPTIONS, ...identity }, handle), port, 'https'));
  }
  for (const kind of ['ledgerline-sound', 'ledgerline-bodies'] as const)
    removeStaleTempFiles(kind).catch((err) => log.warn({ err, kind }, 'files of a killed process stay on the disk'));
  services.voiceProviders.preload();
  return drain;

  async function listen(server: Server, port: number, scheme: string): Promise<() => Drain> {
    refuseBadRequests(server, (refusal) => logRefusal(log, refusal));
    answerUpgrades(server, handle);
    const drainServer = watchConnections(server);
    const variable = scheme === 'https' ? 'TLS_PORT' : 'PORT';
    const place = { host: config.host, port };
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(portError(error, variable, place))).listen(place, resolve);
    });
    const address = server.address() as AddressInfo;
    const name = config.host.includes(':') ? `[${config.host}]` : config.host;
    log.info({ event: 'listening', url: `${scheme}://${name}:${address.port}` }, 'listening');
    onListening();
    return drainServer;
  }

  /**
   * Reports not ready, refuses new connections, lets running calls end, then aborts the rest: they settle their output and send an error.
   * Closes the services of calls only then, and the ledger last.
   */
  async function drain(): Promise<void> {
    log.info('draining');
    const { graceMs, noticeMs } = config.shutdown;
    const { shutdown } = services;
    shutdown.begin();
    await sleep(noticeMs);
    // Event readers resume at another process from their position.
    services.db.runFollows.close();
    services.db.workspaceFollows.close();
    const draining = drains.map((drainServer) => drainServer());
    const closed = Promise.all(draining.map((server) => server.closed));
    if (!(await waitAtMost(graceMs, closed))) {
      shutdown.cut();
      if (!(await waitAtMost(CUT_LIMIT_MS, closed))) for (const server of draining) server.closeAll();
    }
    await closed;
    await waitAtMost(CUT_LIMIT_MS, shutdown.idle());
    await stopAnswering();
    await close();
  }
}

/** Opens the upstream of test calls at the first test call, which live calls do not need. Texts and sockets share it. */
function testUpstreamOnce(): () => Promise<RulesThread> {
  let opened: Promise<RulesThread> | undefined;
  return () => (opened ??= import('../rules/rulesThread.ts').then(({ startRulesThread }) => startRulesThread('test')));
}

/** Serves metrics and health checks, if configured. Returns a function that ends it. */
async function answerOperators(
  { metrics: place }: ApiConfig,
  services: Services,
  isSupervised: boolean,
): Promise<() => Promise<void> | void> {
  const { metrics } = services;
  if (!place || !metrics) return () => undefined;
  const answers = { metrics, findFaults: () => findFaults(services) };
  if (isSupervised) return answerSupervisor(answers);
  const listener = await openListener(place, answers);
  services.log.info({ event: 'metrics', port: listener.port }, 'metrics are read here');
  return () => listener.close();
}

/** The engines that run on this machine. An image of the API may omit them. */
async function findEngines(): Promise<LocalEngines | undefined> {
  if (!existsSync(new URL('../engines/localEngines.ts', import.meta.url))) return undefined;
  return (await import('../engines/localEngines.ts')).localEngines;
}

/** The catalogue, with the present prices of its file on record. */
async function openPricedCatalog(config: ApiConfig, db: Database, log: Logger): Promise<LiveCatalog> {
  const { catalogFile: file, catalogKeys: keys, variable, agentUpstream } = config;
  const catalog = await openCatalog({
    db,
    file,
    variable,
    agentUpstream,
    agentModel: config.agentModel,
    keys,
    onError: createErrorLog(log, 'catalog'),
    onProblem: (entry, problem) =>
      log.warn({ event: 'catalog_change', entry, problem }, 'a change of the catalogue does not apply in this process'),
  });
  for (const model of catalog.models) db.prices.record(model);
  const ofFile = catalog.composed().models.filter(({ state }) => state.isInFile);
  await recordFilePrices(
    db.pool,
    ofFile.map(({ model }) => model),
  );
  return catalog;
}

function openRouting({ upstream }: ApiConfig, log: Logger) {
  const onAlarm: AccountAlarm = (name, err) =>
    log.error({ event: 'upstream_account', upstream: name, err }, ACCOUNT_ALARM);
  return createRouting({ onAlarm, budgetMs: upstream.retryBudgetMs });
}

/** The database of a process of the API, which has room for its connections. */
async function openOwnDatabase(config: ApiConfig, log: Logger): Promise<Database> {
  const db = await openDatabase({
    ...config.database,
    keyIds: config.keyIds,
    busUrl: config.limitsRedisUrl ?? undefined,
    fileStore: config.fileStore,
    archive: createArchive(config.archiveStore && openArchiveFiles(config.archiveStore)),
    spends: true,
    reaps: true,
    leaseMs: config.ledgerLeaseMs,
    ...(config.readWaitMs !== undefined && { readWaitMs: config.readWaitMs }),
    journalFolder: journalFolderOf(config.embeddedVoice.dataDir),
    onError: createErrorLog(log, 'database'),
  });
  await checkConnections(db.connections, { processes: config.processes, log });
  return db;
}

/** The secrets that the database keeps, which may get new versions at any time. */
async function openSecrets({ pool }: Database, log: Logger) {
  const onError = createErrorLog(log, 'the secrets of the installation are not read again');
  const [cursorSecret, accountSecret] = await Promise.all([
    openSecret(pool, 'cursors', onError),
    openSecret(pool, 'accounts', onError),
  ]);
  const cursors = createCursors(() => cursorSecret.versions().map(({ value }) => value));
  return { secrets: [cursorSecret, accountSecret], accountSecret, cursors };
}

async function openServices(config: ApiConfig, log: Logger) {
  // Loads while the database is opened.
  const localEngines = findEngines();
  const db = await openOwnDatabase(config, log);
  const catalog = await openPricedCatalog(config, db, log);
  await recordNetworkFee(db.pool, config.networkFeePercentage);
  const routed = { routing: openRouting(config, log), openTestUpstream: testUpstreamOnce() };
  const textProviders = createTextProviders(catalog, config.upstream, routed);
  const engines = await localEngines;
  const local = engines?.openVoices(config.embeddedVoice, (text) => log.info({ event: 'voice' }, text));
  const voiceProviders = createVoiceProviders(catalog, { upstream: config.upstream, local }, routed);
  const realtimeProviders = createRealtimeProviders(catalog, config.upstream, routed);
  const limits = await openLimits({
    defaultRpm: config.defaultRpmLimit,
    defaultConcurrency: config.defaultConcurrencyLimit,
    redisUrl: config.limitsRedisUrl,
    log,
  });
  const temporal = createTemporal(config.temporal);
  const toTemporal = { temporal, everywhere: db.everywhere, log, consoleUrl: config.publicUrl };
  const runStarter = createRunStarter(toTemporal);
  const agentModels = createAgentModels(catalog);
  const reviews = createReviews({ ...toTemporal, costsOf: agentModels.costsOf });
  const schedules = createTemporalSchedules(temporal.call, db);
  const { secrets, accountSecret, cursors } = await openSecrets(db, log);
  const shutdown = createShutdown();
  const contents = createContents({
    pool: db.pool,
    box: config.contentBox,
    onError: createErrorLog(log, 'the contents of calls are not written'),
  });
  const upstreamFigures = [...upstreamGauges(catalog), ...routingGauges(routed.routing)];
  const mailer = createMailer(config.mail, { everywhere: db.everywhere, log });
  const gauges = [...poolGauges(db), ...upstreamFigures, implausibleUsageGauge, contents.gauge, mailer.gauge];
  const metrics = config.metrics && (await openMetrics([...gauges, ...partGauges({ temporal, limits })]));
  const services = {
    config,
    log,
    metrics,
    db,
    contents,
    catalog,
    agentModels,
    schedules,
    textProviders,
    voiceProviders,
    engines,
    realtimeProviders,
    routing: routed.routing,
    payments: config.stripe && createPayments(config.stripe),
    mailer,
    limits,
    cursors,
    accountSecret,
    runStarter,
    temporal,
    reviews,
    pluginSignIns: createPluginSignIns(toTemporal),
    toolTests: createToolTests(toTemporal),
    shutdown,
  };
  const awaiting = watchAwaitedModel(services);
  cancelRunsOnNotice(services);
  const close = async (): Promise<void> => {
    temporal.stopRetries();
    await awaiting.close();
    const providers = [textProviders, voiceProviders, realtimeProviders];
    await Promise.all([...providers.map((one) => one.close()), limits.close(), runStarter.drained()]);
    services.mailer.close();
    await temporal.close();
    await contents.close();
    catalog.close();
    for (const secret of secrets) secret.close();
    await db.close();
  };
  return { services, close };
}
