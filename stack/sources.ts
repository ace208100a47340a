import { watch } from 'node:fs';
import { join } from 'node:path';

const settleMs = 200;

/**
 * Calls back once when a source file of one of the folders changes. (`node --watch` cannot be used for all programs: its
 * messages confuse the threads of Temporal's worker.)
 * @returns what ends the watching.
 */
export function onSourceChange(cwd: string, folders: string[], callback: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const noticed = (_event: string, file: string | null): void => {
    // An editor writes several times for one change.
    if (file?.endsWith('.ts')) timer ??= setTimeout(callback, settleMs);
  };
  const watchers = folders.map((folder) => watch(join(cwd, folder), { recursive: true }, noticed));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
