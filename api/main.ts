import { setFlagsFromString } from 'node:v8';
import { createLogOutput } from '../base/logOutput.ts';
import { readApiConfig } from './config.ts';
import { createLog } from './log.ts';
import { drainLimitMs, serve } from './serve.ts';

const FLUSH_LIMIT_MS = 2_000;

// Keeps the process small: the old generation grows in small steps, where V8's default lets garbage grow to several times the live data.
// Steps of 30 % would save 10 MB more, but cost a tenth of all processor time under load. The size of the young generation can only be set
// on the command line: `--max-semi-space-size=16`, wherever the API is started.
setFlagsFromString('--heap-growing-percent=45');
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
