import { Worker } from 'node:worker_threads';

const WATCH = `
  const { parentPid } = require('node:worker_threads').workerData;
  setInterval(() => process.ppid === parentPid || process.kill(process.pid, 'SIGKILL'), 250);
`;

/**
 * Ends this process when the worker that started it is gone, however it went. It takes a thread, because a program that loops
 * lets the main one do nothing.
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
