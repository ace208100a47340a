import { createServer as createTlsServer } from 'node:https';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentModelOf } from '../db/agents/agentModel.ts';
import { platformCostsOf } from '../db/agents/platformCosts.ts';
import { openDatabase } from '../db/database.ts';
import { withPatience } from '../db/ledger/withPatience.ts';
import { readCursorSecret } from '../db/secrets.ts';
import { readCatalog } from '../db/catalog.ts';
import { createLogOutput } from '../log/logOutput.ts';
import { createCursors } from './http/signedCursor.ts';
import { createTemporal } from './temporal/temporal.ts';
import { createTextProviders } from '../providers/textProviders.ts';
import type { AccountAlarm } from '../providers/upstreamHealth.ts';
import { createVoiceProviders } from '../providers/voiceProviders.ts';
import { removeLeftBehind } from '../temporary/leftBehind.ts';
import { createApp } from './app.ts';
import { readApiConfig } from './config.ts';
import { openLimits } from './guard/limits.ts';
import { createLog, logRefusal } from './log.ts';
import { limitHeapGrowth } from './memory.ts';
import { createReviews } from './temporal/reviews.ts';
import { createRunStarter } from './temporal/runStarter.ts';
import { watchConnections, type Drain } from './http/connections.ts';
import { createServer } from './http/nodeHttp.ts';
import { createShutdown } from './http/shutdown.ts';
import { refuseBadRequests, serverOptions, tlsServerOptions } from './server.ts';

// What is cut settles and says so within this; then connections are closed.
const CUT_LIMIT_MS = 2_000;
// Past this the process ends all the same: its lease runs out, and the sweep ends what it left.
const CLOSE_LIMIT_MS = 2_000;
const FLUSH_LIMIT_MS = 2_000;
const ACCOUNT_ALARM =
  "an upstream refuses the platform's key or has no credit left: its models run elsewhere or not at all";

limitHeapGrowth();
const config = readApiConfig();
const output = createLogOutput();
const log = createLog(config.logLevel, output);
process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'crashed'));
const db = await openDatabase({
  url: config.databaseUrl,
  spends: true,
  reaps: true,
  leaseMs: config.ledgerLeaseMs,
  onError: (err) => log.warn({ err }, 'database'),
});
const catalog = readCatalog(config.catalogFile, config.variable);
const agentModel = agentModelOf(catalog, config.agentModel);
const onAlarm: AccountAlarm = (upstream, err) => log.error({ event: 'upstream_account', upstream, err }, ACCOUNT_ALARM);
const textProviders = createTextProviders(catalog, config.upstream, { onAlarm });
const voiceConfig = { upstream: config.upstream, embedded: config.embeddedVoice };
const voiceProviders = createVoiceProviders(catalog, voiceConfig, { onAlarm });
const limits = await openLimits({
  defaultRpm: config.defaultRpmLimit,
  defaultConcurrency: config.defaultConcurrencyLimit,
  redisUrl: config.limitsRedisUrl,
  log,
});
const temporal = createTemporal(config.temporal);
const runStarter = createRunStarter({ temporal, pool: db.pool, log });
const reviews = createReviews({ temporal, pool: db.pool, log });
const cursors = createCursors(await readCursorSecret(db.pool));
const shutdown = createShutdown();
const services = {
  config,
  log,
  db,
  catalog,
  agentModel,
  platformCosts: platformCostsOf(agentModel, catalog.sandboxUsdPerSecond),
  textProviders,
  voiceProviders,
  limits,
  cursors,
  runStarter,
  temporal,
  reviews,
  shutdown,
};
const answer = createApp(services).callback();
const handle: RequestListener = (req, res) => void answer(req, res);

const drains = [await listen(createServer(serverOptions, handle), config.port, 'http')];
if (config.tls) {
  const { port, ...identity } = config.tls;
  drains.push(await listen(createTlsServer({ ...tlsServerOptions, ...identity }, handle), port, 'https'));
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void drain());
for (const kind of ['ledgerline-sound', 'ledgerline-bodies'] as const)
  removeLeftBehind(kind).catch((err) => log.warn({ err, kind }, 'files of a killed process stay on the disk'));
db.orm.preload();
temporal.preload();
// A supervisor that dies closes this channel; without it nobody would ever stop this process.
process.once('disconnect', () => void drain());

async function listen(server: Server, port: number, scheme: string): Promise<() => Drain> {
  refuseBadRequests(server, (refusal) => logRefusal(log, refusal));
  const drainServer = watchConnections(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, config.host, resolve));
  const address = server.address() as AddressInfo;
  log.info({ event: 'listening', url: `${scheme}://${config.host}:${address.port}` }, 'listening');
  output.flush();
  return drainServer;
}

/**
 * Says that it is not ready, takes no more connections, lets running calls end, then cuts those that are left: they settle what they
 * produced and say so. Only then closes what calls use, and the ledger last.
 */
async function drain(): Promise<void> {
  log.info('draining');
  const { graceMs, noticeMs } = config.shutdown;
  shutdown.begin();
  setTimeout(() => void end('not drained in time', 1), noticeMs + graceMs + CUT_LIMIT_MS + CLOSE_LIMIT_MS).unref();
  await sleep(noticeMs);
  // Readers of events go on at another process, from where they are.
  db.runFollows.close();
  const draining = drains.map((drainServer) => drainServer());
  const closed = Promise.all(draining.map((server) => server.closed));
  if (!(await withPatience(graceMs, closed))) {
    shutdown.cut();
    if (!(await withPatience(CUT_LIMIT_MS, closed))) for (const server of draining) server.closeAll();
  }
  await closed;
  await withPatience(CUT_LIMIT_MS, shutdown.idle());
  await Promise.all([textProviders.close(), voiceProviders.close(), limits.close(), runStarter.drained()]);
  await temporal.close();
  await db.close();
  await end('drained', 0);
}

async function end(message: string, exitCode: number): Promise<void> {
  log.info(message);
  await output.end(FLUSH_LIMIT_MS);
  process.exit(exitCode);
}
