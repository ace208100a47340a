import { existsSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import type { Limits } from './limits.ts';

/** A file or folder of the host that a jail sees, read-only. */
export interface Mount {
  source: string;
  target: string;
}

/** The root of a jail, with mounts from the host. Our own code is at /app. */
export const APP = '/app';
export const JAIL_NODE = '/usr/bin/node';

const INTERPRETER_PACKAGES = [
  'quickjs-emscripten-core',
  '@jitl/quickjs-ffi-types',
  '@jitl/quickjs-wasmfile-release-sync',
];

/** The sandbox's own code, as files on the host. */
export const sandboxFolder = import.meta.dirname;
export const rootFolder = dirname(dirname(sandboxFolder));

/** The folders of the packages that the QuickJS child imports, by name. */
export function interpreterPackages(): { name: string; folder: string }[] {
  return INTERPRETER_PACKAGES.map((name) => ({ name, folder: dirname(findPackageJSON(name, import.meta.url)!) }));
}

/** Mounts of every jail: Node, a shell that sets limits, the system's shared libraries, and the sandbox's own code. */
export function baseMounts(): Mount[] {
  const libraries = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'].filter((path) => existsSync(path));
  return [
    ...libraries.map((path) => ({ source: realpathSync(path), target: path })),
    { source: realpathSync('/bin/sh'), target: '/bin/sh' },
    { source: realpathSync(process.execPath), target: JAIL_NODE },
    { source: sandboxFolder, target: `${APP}/sandbox` },
    { source: join(rootFolder, 'package.json'), target: `${APP}/package.json` },
  ];
}

/** The first program in a jail of Node and Python, and its memory besides the program's. */
export const agentCommand = (limits: Limits) => [
  JAIL_NODE,
  '--max-old-space-size=64',
  '--disable-warning=ExperimentalWarning',
  `${APP}/sandbox/jail/agent.ts`,
  JSON.stringify(limits),
];
export const AGENT_OVERHEAD_BYTES = 160 * 1_048_576;

/** The system's Python, at the same path on the host and in a jail. Null without Python. */
export const findPython = (): string | null =>
  ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path)) ?? null;

/** Python and its library, or nothing without Python. */
export function pythonMounts(): Mount[] {
  const python = findPython();
  if (!python) return [];
  const executable = { source: realpathSync(python), target: python };
  // The library of /usr is in /usr/lib, which every jail has.
  return python.startsWith('/usr/local')
    ? [executable, { source: '/usr/local/lib', target: '/usr/local/lib' }]
    : [executable];
}
