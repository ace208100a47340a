import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { StackConfig } from './config.ts';
import { ENVIRONMENT_FILE_NAME } from './environmentFile.ts';
import { checkPartSettings } from './partSettings.ts';
import { waitUntilFree, hostComplaint } from './process/port.ts';

const NEEDED_BYTES = 500_000_000;

/**
 * Checks, before anything is started, that the settings fit together, that no other process uses the data folder, that it has free space,
 * and that the ports are free.
 * @returns a function that releases the data folder.
 * @throws a message with instructions.
 */
export async function preflight(config: StackConfig): Promise<{ release: () => Promise<void> }> {
  const { dataDir, host, port, tlsPort } = config;
  await checkPartSettings(config);
  await makeFolder(dataDir);
  await requireSpace(dataDir);
  const lock = join(dataDir, 'stack.pid');
  const release = (): Promise<void> => rm(lock, { force: true });
  await takeLock(lock, dataDir);
  try {
    await requireHost(host);
    await requirePort('PORT', port, host);
    if (tlsPort) await requirePort('TLS_PORT', tlsPort, host);
    return { release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Other users must not read the folder. If root starts it, PostgreSQL's own user must pass through it, which 0711 allows. */
const folderMode = () => (process.getuid?.() === 0 ? 0o711 : 0o700);

async function makeFolder(dataDir: string): Promise<void> {
  // An existing folder of another kind keeps its mode: it may be a disk, or have other users.
  const isOurs = !existsSync(dataDir) || existsSync(join(dataDir, ENVIRONMENT_FILE_NAME));
  await makeWithParents(dataDir).catch((cause: Error) => {
    throw new Error(`The folder ${dataDir} cannot be made (${cause.message}): set DATA_DIR to one that can.`, {
      cause,
    });
  });
  if (isOurs) await chmod(dataDir, folderMode());
}

/** Node's recursive mkdir never ends if a folder exists but accepts no new ones, such as /proc. */
async function makeWithParents(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    await makeWithParents(parent);
    await mkdir(path);
  }
}

async function requireSpace(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  if (freeBytes >= NEEDED_BYTES) return;
  const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;
  throw new Error(
    `Only ${megabytes(freeBytes)} are free for ${dataDir}, and ${megabytes(NEEDED_BYTES)} are needed: free ` +
      'some space, or set DATA_DIR to another disk.',
  );
}

async function requireHost(host: string): Promise<void> {
  const complaint = await hostComplaint(host);
  if (complaint === undefined) return;
  throw new Error(
    `HOST: nothing can listen on ${host} here (${complaint}): 127.0.0.1 is this machine, 0.0.0.0 all its addresses.`,
  );
}

async function requirePort(name: string, port: number, host: string): Promise<void> {
  if (port === 0 || (await waitUntilFree(port, host))) return;
  throw new Error(
    `Port ${port} is taken: end what listens there, or choose another one, as in ${name}=${port + 1} npm start.`,
  );
}

/** @throws a message when an installation runs on this data folder. */
export async function requireStopped(dataDir: string): Promise<void> {
  const holder = Number(await readFile(join(dataDir, 'stack.pid'), 'utf8').catch(() => ''));
  if (holder && holder !== process.pid && (await commandOf(holder)).includes('ops/stack/main.ts')) {
    throw new Error(
      `This installation is already running (process ${holder}, data in ${dataDir}): stop that one first, or ` +
        'set DATA_DIR and PORT for a second.',
    );
  }
}

async function takeLock(lock: string, dataDir: string): Promise<void> {
  await requireStopped(dataDir);
  await writeFile(lock, `${process.pid}\n`).catch((cause: Error) => {
    throw new Error(`Nothing can be written to ${dataDir} (${cause.message}): set DATA_DIR to a folder of your own.`, {
      cause,
    });
  });
}

const run = promisify(execFile);

/** The command line of a process; empty if there is none, or it is a zombie. */
export async function commandOf(pid: number): Promise<string> {
  if (platform() === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}
