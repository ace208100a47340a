import { pino } from 'pino';
import { openDatabase } from '../db/database.ts';
import { workerConfigOf } from './config.ts';
import { installRuntime } from './runtime.ts';
import { createWorker } from './worker.ts';

const { databaseUrl, temporalAddress, temporalNamespace, logLevel } = workerConfigOf(process);
const logger = pino({ level: logLevel, name: 'worker' });
installRuntime(logger);

const onError = (err: unknown): void => logger.error({ err }, 'the database failed in the background');
const database = await openDatabase({ url: databaseUrl, spends: false, onError });
const worker = await createWorker({ ledger: database.ledger, temporalAddress, temporalNamespace, logger });
logger.info({ event: 'working', temporalAddress, temporalNamespace }, 'the worker takes tasks');
await worker.run();
await database.close();
logger.info('the worker has stopped');
