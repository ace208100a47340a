import { createLogOutput } from '../base/logOutput.ts';
import { readApiConfig } from './config.ts';
import { createLog } from './log.ts';
import { limitHeapGrowth } from './memory.ts';
import { drainLimitMs, serve } from './serve.ts';

const FLUSH_LIMIT_MS = 2_000;

limitHeapGrowth();
const config = readApiConfig();
const output = createLogOutput();
const log = createLog(config.logLevel, output);
process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'crashed'));
const drain = await serve(config, { log, onListening: output.flush });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
// A supervisor that dies closes this channel; without it this process would never stop.
process.once('disconnect', () => void stop());

async function stop(): Promise<void> {
  setTimeout(() => void exit('not drained in time', 1), drainLimitMs(config.shutdown)).unref();
  await drain();
  await exit('drained', 0);
}

async function exit(message: string, exitCode: number): Promise<void> {
  log.info(message);
  await output.end(FLUSH_LIMIT_MS);
  process.exit(exitCode);
}
