import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const RELEASE_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * The port of a part: the configured one, else the stored one, else the preferred one, else any free port of the loopback interface. The
 * choice is stored in the file, and no other installation on this machine chooses the same port while this process runs.
 * @throws a message if the configured port is taken.
 */
export async function choosePort(
  name: string,
  file: string,
  { wanted, preferred }: { wanted?: number; preferred?: number },
): Promise<number> {
  if (wanted) {
    if (await waitUntilFree(wanted)) return wanted;
    throw new Error(`port ${wanted}, wanted for ${name}, is taken: end what listens there`);
  }
  const kept = Number(await readFile(file, 'utf8').catch(() => ''));
  if (kept && (await waitUntilFree(kept)) && (await reserve(kept, file))) return kept;
  const canPrefer =
    !kept && preferred !== undefined && (await isPortFree(preferred)) && (await reserve(preferred, file));
  const port = canPrefer ? preferred : await reserveFreePort(file);
  await writeFile(file, `${port}\n`);
  return port;
}

async function reserveFreePort(file: string): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await reserve(port, file)) return port;
  }
}

// A chosen port is free until its part listens, which may be minutes later. So the choice itself is a listener, at an otherwise unused
// loopback address; it ends with the process.
const RESERVING_HOST = '127.41.0.1';
const filesOfReserved = new Map<number, string>();

/** Whether this port is now reserved for the part with this file. */
async function reserve(port: number, file: string): Promise<boolean> {
  const owner = filesOfReserved.get(port);
  if (owner !== undefined) return owner === file;
  const server = createServer().unref().listen(port, RESERVING_HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    // Systems other than Linux have one loopback address: nothing can be reserved there.
    return (error as NodeJS.ErrnoException).code !== 'EADDRINUSE';
  }
  filesOfReserved.set(port, file);
  return true;
}

/** Whether this port is free, now or within some seconds: the part that used it may still be ending. */
export async function waitUntilFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const deadline = Date.now() + RELEASE_TIMEOUT_MS;
  while (!(await isPortFree(port, host))) {
    if (Date.now() > deadline) return false;
    await sleep(100);
  }
  return true;
}

/** Why it is impossible to listen on a host's addresses, or undefined if possible. */
export async function hostComplaint(host: string): Promise<string | undefined> {
  return listenBriefly(0, host).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Why nothing accepts connections at `host:port`, or undefined if something does. */
export async function answerComplaint(address: string): Promise<string | undefined> {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(address)!;
  const socket = connect({ host, port: Number(port), timeout: ANSWER_TIMEOUT_MS });
  try {
    const [outcome] = await Promise.race([
      once(socket, 'connect').then(() => [undefined]),
      once(socket, 'timeout').then(() => ['no answer in time']),
    ]);
    return outcome;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return message || code;
  } finally {
    socket.destroy();
  }
}

/** A free TCP port of the loopback interface. */
export function freePort(): Promise<number> {
  return listenBriefly(0);
}

/** Whether this port of `host` is free. */
async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
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
