import { Worker } from 'node:worker_threads';

const LIMIT_MS = 500;

// A pattern can take minutes: in a thread it can be stopped, and blocks nobody.
const MATCH = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage(new RegExp(workerData.pattern, workerData.flags).test(workerData.text));`;

/** Whether a text matches a regular expression of JavaScript. `too_slow`: that is not known within half a second of a thread. */
export async function matchPattern(
  text: string,
  { pattern, ignoresCase }: { pattern: string; ignoresCase: boolean },
): Promise<boolean | 'too_slow' | 'invalid'> {
  const workerData = { text, pattern, flags: ignoresCase ? 'iu' : 'u' };
  const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };
  const thread = new Worker(MATCH, { eval: true, workerData, resourceLimits, env: {} });
  const ended = Promise.withResolvers<boolean | 'too_slow' | 'invalid'>();
  thread.once('message', ended.resolve);
  thread.once('error', () => ended.resolve('invalid'));
  let timer: NodeJS.Timeout | undefined;
  thread.once('online', () => (timer = setTimeout(() => ended.resolve('too_slow'), LIMIT_MS)));
  try {
    return await ended.promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
