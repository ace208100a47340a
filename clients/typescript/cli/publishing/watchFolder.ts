import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// Editors write a file in several steps.
const SETTLE_MS = 150;
const OWN = /(^|[\\/])(\.git|node_modules)([\\/]|$)|~$|\.swp$/;

/** Waits for changes of a folder: each call of `next` resolves when something has changed since the call before. */
export function watchFolder(folder: string, signal: AbortSignal): { next: () => Promise<void> } {
  let changed = withResolvers();
  const watcher = watch(folder, { recursive: true, signal }, (_event, name) => {
    if (name === null || !OWN.test(name)) changed.resolve();
  });
  signal.addEventListener('abort', () => changed.reject(signal.reason as Error), { once: true });
  changed.promise.catch(() => {});
  watcher.on('error', (error) => changed.reject(error));
  return {
    async next() {
      await changed.promise;
      await sleep(SETTLE_MS);
      changed = withResolvers();
      changed.promise.catch(() => {});
    },
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let [resolve, reject] = [() => {}, (_error: Error) => {}];
  const promise = new Promise<void>((...made) => ([resolve, reject] = made));
  return { promise, resolve, reject };
}
