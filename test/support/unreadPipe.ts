import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from './folder.ts';
import { until } from './until.ts';

const startTimeoutMs = 120_000;

/** A pipe for a process's output that only the test reads; it can be filled up. */
export async function makeUnreadPipe() {
  const folder = await makeFolder();
  const path = join(folder.path, 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  // Opened twice, since O_NONBLOCK applies to all users of one open file.
  const [ours, theirs] = [await open(path, constants.O_RDWR | constants.O_NONBLOCK), await open(path, 'r+')];
  const write = (bytes: number) =>
    orWouldWait(ours.write(Buffer.alloc(bytes, 'x')).then(({ bytesWritten }) => bytesWritten));

  return {
    fd: theirs.fd,
    /** Reads until a complete line contains these words, and returns it. */
    async readLine(words: string): Promise<string> {
      const bytes = Buffer.alloc(4096);
      let text = '';
      const found = () =>
        text
          .split('\n')
          .slice(0, -1)
          .find((line) => line.includes(words));
      await until(
        async () => {
          text += bytes.toString('utf8', 0, await orWouldWait(ours.read(bytes).then(({ bytesRead }) => bytesRead)));
          return found() !== undefined;
        },
        { timeoutMs: startTimeoutMs },
      );
      return found()!;
    },
    /** Writes until the pipe is full. */
    async fill(): Promise<void> {
      for (const bytes of [4096, 1]) await until(async () => (await write(bytes)) === 0, { pollMs: 0 });
    },
    async close(): Promise<void> {
      await Promise.all([ours.close(), theirs.close()]);
      await folder.remove();
    },
  };
}

/** The number of moved bytes: none if the call would have blocked. */
function orWouldWait(moved: Promise<number>): Promise<number> {
  return moved.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EAGAIN') return 0;
    throw error;
  });
}
