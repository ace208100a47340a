import { Worker } from 'node:worker_threads';

const WATCH = `
  const { parentPid } = require('node:worker_threads').workerData;
  setInterval(() => process.ppid === parentPid || process.kill(process.pid, 'SIGKILL'), 250);
`;

/**
 * Ends this process when the worker that started it is gone, for any reason. It needs a thread, because a looping program blocks the main
 * one.
 */
export function endWithParent(): void {
  const watch = new Worker(WATCH, {
    eval: true,
    env: {},
    workerData: { parentPid: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  watch.unref();
}
