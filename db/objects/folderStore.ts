import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ObjectStore, ObjectStoreFailed } from './objectStore.ts';

/**
 * A store in a folder: for one machine, or for a folder that all machines mount. A new object is complete and on disk
 * before it has its name; what a killed process had written of it is removed then.
 */
export function createFolderStore(folder: string): ObjectStore {
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      const { message, code } = cause as NodeJS.ErrnoException;
      throw new ObjectStoreFailed(`the folder of files failed: ${message}`, { isMissing: code === 'ENOENT', cause });
    }
  };
  return {
    takesNew: true,
    put: (key, bytes) =>
      failing(async () => {
        const path = join(folder, key);
        const draft = `${path}.${randomUUID()}`;
        await mkdir(dirname(path), { recursive: true });
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
        await removeDrafts(path);
      }),
    async *read(key, { from, to }) {
      if (from >= to) return;
      try {
        // `end` is included.
        for await (const part of createReadStream(join(folder, key), { start: from, end: to - 1 }))
          yield part as Uint8Array;
      } catch (cause) {
        await failing(() => Promise.reject(cause as Error));
      }
    },
    remove: (key) => failing(() => rm(join(folder, key), { force: true })),
    answers: () => stat(folder).then((found) => found.isDirectory()),
  };
}

const DRAFT = /^\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Removes the drafts of an object. A process that is still writing one then fails, and does not replace the object. */
async function removeDrafts(path: string): Promise<void> {
  const name = basename(path);
  const names = await readdir(dirname(path));
  const drafts = names.filter((other) => other.startsWith(name) && DRAFT.test(other.slice(name.length)));
  for (const draft of drafts) await rm(join(dirname(path), draft), { force: true });
}
