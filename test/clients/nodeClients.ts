import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const installations = join(import.meta.dirname, '..', '..', '.data', 'node-clients');

/**
 * Installs the client libraries of a `package.json` below `test/clients` (`node`: of voice and realtime; `agents`: of MCP and A2A;
 * `frameworks` and `codingAgents`: of the guides) below `.data`, once per state of its lock file: with their 32,000 files `npm ci` would take much longer. Returns
 * a `require` that finds them.
 */
export async function installNodeClients(
  name: 'node' | 'agents' | 'frameworks' | 'codingAgents' = 'node',
): Promise<NodeJS.Require> {
  const source = join(import.meta.dirname, name);
  const lockFile = await readFile(join(source, 'package-lock.json'));
  const folder = join(installations, createHash('sha256').update(lockFile).digest('hex').slice(0, 16));
  if (!existsSync(folder)) await installInto(folder, source);
  return createRequire(join(folder, 'package.json'));
}

/** Renamed to its final name when complete, because another test file may need it at the same time. */
async function installInto(folder: string, source: string): Promise<void> {
  await mkdir(installations, { recursive: true });
  const draft = await mkdtemp(join(installations, 'draft-'));
  try {
    await cp(source, draft, { recursive: true });
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: draft });
    await rename(draft, folder).catch((error: Error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
