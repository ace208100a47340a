import { pino } from 'pino';
import { openDatabase } from '../db/database.ts';
import { createLogOutput } from '../log/logOutput.ts';
import { workerConfigOf } from './config.ts';
import { installRuntime } from './runtime.ts';
import { createWorker } from './worker.ts';

const FLUSH_LIMIT_MS = 2_000;

const { databaseUrl, temporalAddress, temporalNamespace, logLevel } = workerConfigOf(process);
const output = createLogOutput();
const logger = pino({ level: logLevel, name: 'worker' }, output);
process.on('uncaughtExceptionMonitor', (err) => logger.fatal({ err }, 'crashed'));
installRuntime(logger);

const onError = (err: unknown): void => logger.error({ err }, 'the database failed in the background');
const database = await openDatabase({ url: databaseUrl, spends: false, onError });
const worker = await createWorker({ ledger: database.ledger, temporalAddress, temporalNamespace, logger });
logger.info({ event: 'working', temporalAddress, temporalNamespace }, 'the worker takes tasks');
await worker.run();
await database.close();
logger.info('the worker has stopped');
await output.end(FLUSH_LIMIT_MS);
// Not left to Node, which waits for a reader who may never come.
process.exit(0);
