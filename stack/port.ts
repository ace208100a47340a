import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const releaseTimeoutMs = 5_000;

/**
 * The port that the file remembers, else `preferredPort`, else any free one of the loopback interface; remembered in the file.
 * A remembered port that is taken is waited for a little: the part that had it may still be ending.
 */
export async function keptPort(file: string, preferredPort = 0): Promise<number> {
  const kept = Number(await readFile(file, 'utf8').catch(() => ''));
  if (kept && (await becomesFree(kept))) return kept;
  const isPreferredFree = preferredPort !== 0 && !kept && (await isPortFree(preferredPort));
  const port = isPreferredFree ? preferredPort : await freePort();
  await writeFile(file, `${port}\n`);
  return port;
}

async function becomesFree(port: number): Promise<boolean> {
  const deadline = Date.now() + releaseTimeoutMs;
  while (!(await isPortFree(port))) {
    if (Date.now() > deadline) return false;
    await sleep(100);
  }
  return true;
}

/** A TCP port of the loopback interface that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return listenBriefly(0);
}

/** Whether nobody listens on this port of `host`. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return listenBriefly(port, host).then(
    () => true,
    () => false,
  );
}

function listenBriefly(port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : port));
    });
  });
}
