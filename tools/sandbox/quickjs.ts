import { join } from 'node:path';
import { inBwrap } from './bwrap.ts';
import { findProgram } from './config.ts';
import { type Limits, withLimits } from './limits.ts';
import { APP, baseMounts, interpreterPackages, JAIL_NODE, rootFolder, sandboxFolder } from './runtimes.ts';
import { canStart } from './startChild.ts';
import type { Launch, Tier } from './types.ts';

const MIB = 1_048_576;
/** Memory for Node itself, the interpreter's code, and the program's files. */
const OVERHEAD_BYTES = 128 * MIB;

/**
 * The embedded default: QuickJS in WebAssembly, in a separate process for each program, which is killed from outside, since one long
 * built-in never returns to the interpreter. Bubblewrap isolates that process if available; otherwise the interpreter, the process and its
 * dropped privileges do.
 */
export async function openQuickjs(limits: Limits): Promise<Tier> {
  const bwrap = findProgram('bwrap');
  const isInside = bwrap !== null && (await canStart(launchInside(bwrap, limits)));
  return {
    name: 'quickjs',
    languages: ['javascript'],
    description: `QuickJS in WebAssembly, in a process for each program${isInside ? ', inside bubblewrap' : ''}`,
    overheadBytes: OVERHEAD_BYTES,
    prepare: async () => (isInside ? launchInside(bwrap, limits) : launchPlain(limits)),
  };
}

function launchPlain(limits: Limits): Launch {
  const folders = interpreterPackages().map(({ folder }) => folder);
  const readable = [sandboxFolder, join(rootFolder, 'package.json'), ...folders];
  const command = [process.execPath, ...nodeArguments(limits, readable, sandboxFolder)];
  return { command: withLimits(limits, { isJailed: false }, command) };
}

function launchInside(bwrap: string, limits: Limits): Launch {
  const packages = interpreterPackages().map(({ name, folder }) => ({
    source: folder,
    target: `${APP}/node_modules/${name}`,
  }));
  const command = [JAIL_NODE, ...nodeArguments(limits, [APP], `${APP}/sandbox`)];
  return inBwrap(bwrap, { limits, mounts: [...baseMounts(), ...packages], command });
}

// Node's permissions are not a security boundary, but cost nothing: only these files, no child processes, no add-ons.
const nodeArguments = (limits: Limits, readable: string[], folder: string) => [
  '--permission',
  '--allow-worker',
  ...readable.map((path) => `--allow-fs-read=${path}`),
  // If the packages' folder is a link, permission is given for its name, not for its target.
  '--preserve-symlinks',
  '--max-old-space-size=128',
  // In KiB, within the 8 MiB that systems give the first thread.
  '--stack-size=6000',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=SecurityWarning',
  join(folder, 'quickjs', 'child.ts'),
  JSON.stringify(limits),
];
