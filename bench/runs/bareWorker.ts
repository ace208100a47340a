import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { BARE_TASK_QUEUE } from './bare.ts';

/** `node bench/runs/bareWorker.ts <address of Temporal>`: works on bare workflows, with the library's own settings. */
Runtime.install({ shutdownSignals: ['SIGTERM'] });
const connection = await NativeConnection.connect({ address: process.argv[2]! });
const worker = await Worker.create({
  connection,
  taskQueue: BARE_TASK_QUEUE,
  workflowsPath: fileURLToPath(new URL('bareWorkflow.ts', import.meta.url)),
  activities: { answer: () => Promise.resolve('The answer.') },
});
process.stdout.write(`${JSON.stringify({ event: 'working' })}\n`);
await worker.run();
await connection.close();
