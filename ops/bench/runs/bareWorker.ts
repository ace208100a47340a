import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';

/** `node ops/bench/runs/bareWorker.ts ADDRESS TASK_QUEUE`: a worker of bare workflows with the library's default settings. */
const [address, taskQueue] = process.argv.slice(2);
Runtime.install({ shutdownSignals: ['SIGTERM'] });
const connection = await NativeConnection.connect({ address: address! });
const worker = await Worker.create({
  connection,
  taskQueue: taskQueue!,
  workflowsPath: fileURLToPath(new URL('bareWorkflow.ts', import.meta.url)),
  activities: { answer: () => Promise.resolve('The answer.') },
});
process.stdout.write(`${JSON.stringify({ event: 'working' })}\n`);
await worker.run();
await connection.close();
