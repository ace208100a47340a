import type { Logger } from 'pino';
import { createLineCalls, createOwnCalls } from '../activities/batch/lineCalls.ts';
import { recordNetworkFee } from '../db/catalog/networkFee.ts';
import { createAgentModels } from '../db/agents/agentModels.ts';
import { sealPlugins } from '../db/plugins/plugins.ts';
import { openCatalog } from '../db/liveCatalog/liveCatalog.ts';
import { createArchive } from '../db/archive/archive.ts';
import { openArchiveFiles } from '../db/archive/archiveFiles.ts';
import { openDatabase } from '../db/database.ts';
import { checkConnections } from '../db/postgres/connectionUse.ts';
import { journalFolderOf } from '../db/ledger/deliveryJournal.ts';
import { setV8Flags } from '../base/v8.ts';
import { createErrorLog, createLog } from '../base/log.ts';
import { tellStarter } from '../base/tellStarter.ts';
import { createLogOutput } from '../base/logOutput.ts';
import { createMailer } from '../providers/mail/mailer.ts';
import { createPayments } from '../providers/payments/stripe.ts';
import { createUpstreamBatches } from '../providers/upstreamBatches.ts';
import { implausibleUsageGauge } from '../providers/metering/implausibleUsage.ts';
import { routingGauges } from '../providers/routing/routingGauges.ts';
import { createRouting } from '../providers/routing/routing.ts';
import { ACCOUNT_ALARM } from '../providers/routing/upstreamHealth.ts';
import { upstreamGauges } from '../providers/upstreamOutcomes.ts';
import { createTextProviders } from '../providers/textProviders.ts';
import { loadEncoding } from '../providers/metering/encoding/loadEncoding.ts';
import { openSandbox, type Sandbox } from '../tools/sandbox/sandbox.ts';
import { webhookGauges } from '../activities/webhooks/outcomes.ts';
import { backupGauges } from './backupMetrics.ts';
import { certificateGauges } from './certificateMetrics.ts';
import { bundledDiskDir, databaseGauges } from './databaseMetrics.ts';
import { lateTriesGauge } from './lateTries.ts';
import { paymentGauges } from './paymentMetrics.ts';
import { openListener } from '../base/telemetry/listener.ts';
import { openMetrics } from '../base/telemetry/metrics.ts';
import { createTaskFailures } from './taskFailures.ts';
import { platformGauges } from './platformMetrics.ts';
import { poolGauges } from '../base/telemetry/poolMetrics.ts';
import { endTracing, startTracing } from '../base/telemetry/startTracing.ts';
import { workerConfigOf, type WorkerConfig } from './config.ts';
import { installRuntime } from './runtime.ts';
import { createWorker, type LedgerlineWorker } from './worker.ts';

const FLUSH_LIMIT_MS = 2_000;

setV8Flags();
const config = workerConfigOf(process);
const { temporal, logLevel } = config;
const output = createLogOutput();
await startTracing('ledgerline-worker', (message) => logger.warn({ event: 'traces' }, message));
const logger = createLog(logLevel, output);
process.on('uncaughtExceptionMonitor', (err) => logger.fatal({ err }, 'crashed'));
const taskFailures = config.metrics ? createTaskFailures() : undefined;
installRuntime(logger, taskFailures?.buffer);

const archiveFiles = config.archiveStore && openArchiveFiles(config.archiveStore);
const database = await openDatabase({
  ...config.database,
  keyIds: config.keyIds,
  busUrl: config.busUrl,
  fileStore: config.fileStore,
  archive: createArchive(archiveFiles),
  spends: true,
  journalFolder: journalFolderOf(config.dataDir),
  onError: createErrorLog(logger, 'database'),
});
await checkConnections(database.connections, { processes: 1, log: logger });
await recordNetworkFee(database.pool, config.networkFeePercentage);
await sealPlainCredentials(config, logger);
const { catalogFile, catalogKeys, variable, agentUpstream } = config;
const catalog = await openCatalog({
  db: database,
  file: catalogFile,
  variable,
  agentUpstream,
  agentModel: config.agentModel,
  keys: catalogKeys,
  onError: createErrorLog(logger, 'catalog'),
  onProblem: (entry, problem) =>
    logger.warn(
      { event: 'catalog_change', entry, problem },
      'a change of the catalogue does not apply in this process',
    ),
});
const models = createAgentModels(catalog);
const routing = createRouting({
  onAlarm: (upstream, err) => logger.error({ event: 'upstream_account', upstream, err }, ACCOUNT_ALARM),
  budgetMs: config.upstream.retryBudgetMs,
});
const providers = createTextProviders(catalog, config.upstream, {
  routing,
  openTestUpstream: async () => (await import('../rules/rulesThread.ts')).startRulesThread('test'),
});
const upstreamBatches = createUpstreamBatches(catalog, config.upstream);
const mailer = createMailer(config.mail, { everywhere: database.everywhere, log: logger });
const sandbox = await openSandboxIfIsolated(config, logger);
// Loaded now, so that the first run does not wait for it.
await loadEncoding();
const operators = await listenForOperators();
const worker = await createWorker({
  db: database,
  models,
  reviewCostUsdMax: config.reviewCostUsdMax,
  textProviders: providers,
  lines: createLineCalls({ db: database, catalog, textProviders: providers }),
  judges: createOwnCalls({ db: database, catalog, textProviders: providers }),
  upstreamBatches,
  batchConcurrency: config.batchConcurrency,
  slots: config.slots,
  pluginKeys: config.pluginKeys,
  sandbox,
  consoleUrl: config.consoleUrl,
  openRunsMax: config.openRunsMax,
  unbilledKeptDays: config.unbilledKeptDays,
  archiveFiles,
  archiveAfterDays: config.archiveAfterDays,
  webhookSending: { allowPrivate: config.webhookLoopback && 'loopback' },
  payments: config.stripe && createPayments(config.stripe),
  issuer: config.issuer,
  mailer,
  retryDelayMaxMs: config.retryDelayMaxMs,
  temporal,
  buildId: config.buildId,
  logger,
});
logger.info(
  {
    event: 'working',
    temporalAddress: temporal.address,
    temporalNamespace: temporal.namespace,
    buildId: config.buildId,
    model: models.standard.id,
  },
  'the worker takes tasks',
);
operators?.report(worker);
tellStarter('working');
await worker.run();
await operators?.close();
mailer.close();
await Promise.all([providers.close(), upstreamBatches.close(), sandbox?.close()]);
catalog.close();
await database.close();
await endTracing();
logger.info('the worker has stopped');
await output.end(FLUSH_LIMIT_MS);
// Exits explicitly, because Node would wait for the reader of the output.
process.exit(0);

/** The operators' endpoint, if configured: opened before Temporal is reachable, because a waiting process is healthy. */
async function listenForOperators() {
  if (!config.metrics) return undefined;
  let reported: LedgerlineWorker | undefined;
  const { everywhere } = database;
  const metrics = await openMetrics([
    ...poolGauges(database),
    ...platformGauges(database),
    ...paymentGauges(database),
    ...databaseGauges(everywhere, config.databaseDiskDir ?? bundledDiskDir(config.dataDir)),
    ...backupGauges(everywhere, config.backupDir),
    ...certificateGauges(config.certificateUrl),
    ...upstreamGauges(catalog),
    ...routingGauges(routing),
    ...webhookGauges,
    lateTriesGauge,
    mailer.gauge,
    ...(taskFailures ? [taskFailures.gauge] : []),
    implausibleUsageGauge,
  ]);
  const findFaults = async () => (reported ? reported.findFaults() : ['temporal']);
  const listener = await openListener(config.metrics, { metrics, findFaults });
  logger.info({ event: 'metrics', port: listener.port }, 'metrics are read here');
  return {
    /** From now on it reports this worker's state. */
    report: (started: LedgerlineWorker): void => {
      reported = started;
      metrics.add(started.gauges);
    },
    close: () => listener.close(),
  };
}

/** A missing sandbox, or one with a successful escape, counts as none: this worker then takes no tool tasks, but other workers may. */
async function openSandboxIfIsolated({ sandboxTier }: WorkerConfig, logger: Logger): Promise<Sandbox | undefined> {
  try {
    const sandbox = await openSandbox({ tier: sandboxTier });
    logger.info({ tier: sandbox.tier, description: sandbox.description }, 'the sandbox holds');
    return sandbox;
  } catch (err) {
    logger.error({ err, sandboxTier }, 'the sandbox does not hold: this worker takes no tools');
    return undefined;
  }
}

/** Encrypts credentials that an earlier version stored in plain text. */
async function sealPlainCredentials({ pluginKeys }: WorkerConfig, logger: Logger): Promise<void> {
  const plugins = await sealPlugins(database.everywhere, pluginKeys);
  if (plugins > 0) logger.info({ event: 'plugins_sealed', plugins }, 'credentials of plugins are sealed now');
}
