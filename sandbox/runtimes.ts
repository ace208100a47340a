import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SandboxError } from './types.ts';

/** A file or folder of the host that a jail sees, read-only. */
export interface Mount {
  source: string;
  target: string;
}

/** The root of a jail: what is mounted there from the host. Our own code lies under /app. */
export const APP = '/app';
export const JAIL_NODE = '/usr/bin/node';
export const JAIL_PYTHON = '/usr/bin/python3';
export const JAIL_SHELL = '/bin/sh';

const INTERPRETER_PACKAGES = [
  'quickjs-emscripten-core',
  '@jitl/quickjs-ffi-types',
  '@jitl/quickjs-wasmfile-release-sync',
];

/** The sandbox's own code, as files on the host. */
export const sandboxFolder = import.meta.dirname;
export const rootFolder = dirname(sandboxFolder);

/** The folders of the packages that the QuickJS child imports, by name. */
export function interpreterPackages(): { name: string; folder: string }[] {
  return INTERPRETER_PACKAGES.map((name) => ({ name, folder: packageFolder(name, sandboxFolder) }));
}

/** What every jail has: Node, a shell that sets limits, the shared libraries of the system, and the sandbox's own code. */
export function baseMounts(): Mount[] {
  const libraries = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'].filter((path) => existsSync(path));
  return [
    ...libraries.map((path) => ({ source: realpathSync(path), target: path })),
    { source: realpathSync('/bin/sh'), target: JAIL_SHELL },
    { source: realpathSync(process.execPath), target: JAIL_NODE },
    { source: sandboxFolder, target: `${APP}/sandbox` },
    { source: join(rootFolder, 'package.json'), target: `${APP}/package.json` },
  ];
}

/** The system's Python and its library, or nothing where there is none. */
export function pythonMounts(): Mount[] {
  const found = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path));
  if (!found) return [];
  const executable = { source: realpathSync(found), target: found };
  const isLocal = found.startsWith('/usr/local');
  return isLocal ? [executable, { source: '/usr/local/lib', target: '/usr/local/lib' }] : [executable];
}

function packageFolder(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (dirname(from) === from) throw new SandboxError(`The package ${name} is not installed.`);
  return packageFolder(name, dirname(from));
}
