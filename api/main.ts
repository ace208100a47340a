import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { createLogOutput } from '../base/logOutput.ts';
import { readApiConfig } from './config.ts';
import { setV8Flags } from '../base/v8.ts';
import { createLog } from '../base/log.ts';
import { tellStarter } from '../base/tellStarter.ts';
import { drainLimitMs } from './http/shutdown.ts';
import { keepProcesses } from './processes.ts';
import { endTracing, startTracing } from '../base/telemetry/startTracing.ts';

const FLUSH_LIMIT_MS = 2_000;
const CACHE_FLUSH_MS = 2_000;
// An idle process uses a third of that.
const CALM_UTILIZATION = 0.01;

setV8Flags();
// While modules are loaded nearly everything survives, for which V8 would double the young generation up to its limit: until the start is
// over it does not grow, and an idle process is 10 MB smaller.
setFlagsFromString('--semi-space-growth-factor=1');
const config = readApiConfig();
const isSupervisor = config.processes > 1 && cluster.isPrimary;
const output = createLogOutput();
if (!isSupervisor) await startTracing('ledgerline-api', (message) => log.warn({ event: 'traces' }, message));
const log = createLog(config.logLevel, output);
process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'crashed'));
const end = await (isSupervisor ? superviseServing() : startServing());
setFlagsFromString('--semi-space-growth-factor=2');
flushWhileCalm();
let isStopping = false;
// A second signal ends a process at once. A supervised one gets the first twice where the whole group gets it, as by systemd or Ctrl+C.
const listen = cluster.isWorker ? 'on' : 'once';
for (const signal of ['SIGTERM', 'SIGINT'] as const) process[listen](signal, () => void stop());
// Exits when the supervising process dies, which closes this channel.
process.once('disconnect', () => void stop());

/** Serves in this process. Resolves with a function that drains it. */
async function startServing(): Promise<() => Promise<number>> {
  // Loaded only here: a supervising process does not need it.
  const { serve } = await import('./serve.ts');
  // After an upgrade the code of all modules is written, which takes half a second: before the first call, not between calls.
  flushCompileCache();
  const drain = await serve(config, { log, onListening: output.flush, isSupervised: cluster.isWorker });
  if (!cluster.isWorker) tellStarter('listening');
  return () => drain().then(() => 0);
}

/**
 * Frees what was read from the compile cache, 4 MB for the table of tokens alone, and keeps new code there even if this process is killed.
 * Writing new code takes up to half a second, during which no call is answered: so it is written only while this process is nearly idle.
 */
function flushWhileCalm(): void {
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, before).utilization < CALM_UTILIZATION) flushCompileCache();
    before = now;
  }, CACHE_FLUSH_MS).unref();
}

async function superviseServing(): Promise<() => Promise<number>> {
  const processes = keepProcesses(config.processes, {
    log,
    onListening: () => tellStarter('listening'),
    onUseless: () => void exit('no process listens', 1),
  });
  if (config.metrics) {
    const [{ openListener }, { askProcesses }] = await Promise.all([
      import('../base/telemetry/listener.ts'),
      import('../base/telemetry/processes.ts'),
    ]);
    const { port } = await openListener(config.metrics, askProcesses(processes.running));
    log.info({ event: 'metrics', port }, 'metrics are read here');
  }
  output.flush();
  return processes.end;
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => void exit('not drained in time', 1), drainLimitMs(config.shutdown)).unref();
  await exit('drained', await end());
}

async function exit(message: string, exitCode: number): Promise<void> {
  log.info(message);
  await endTracing();
  await output.end(FLUSH_LIMIT_MS);
  process.exit(exitCode);
}
