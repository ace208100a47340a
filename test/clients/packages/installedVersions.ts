import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const onPath = (process.env.PATH ?? '').split(delimiter);

/** The programs of this name on this machine whose version is wanted, one of each release. */
function versionsOf(folders: string[], name: RegExp, isWanted: (major: number, minor: number) => boolean) {
  const isNode = name.test('node');
  const found = new Map<string, string>();
  for (const folder of folders) {
    for (const file of entriesOf(folder).filter((entry) => name.test(entry))) {
      const [text, major, minor] = versionOf(join(folder, file)) ?? [];
      if (!text || !isWanted(Number(major), Number(minor))) continue;
      const release = isNode ? major! : `${major}.${minor}`;
      if (!found.has(release)) found.set(release, join(folder, file));
    }
  }
  return [...found].map(([version, program]) => ({ version, program }));
}

/** Each Node on the PATH that the client is for, from 20. */
export const nodes = versionsOf(onPath, /^node$/, (major) => major >= 20);

// Also those that pyenv holds, which are not all on the PATH.
const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
/** Each Python that the client is for, from 3.10. */
export const pythons = versionsOf(
  [...onPath, ...entriesOf(pyenv).map((version) => join(pyenv, version, 'bin'))],
  /^python3(\.\d+)?$/,
  (major, minor) => major === 3 && minor >= 10,
);

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The text of `--version` with its numbers; undefined of a program that does not run. */
function versionOf(program: string): [text: string, major: string, minor: string] | undefined {
  try {
    const text = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim();
    const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
    return major && minor ? [text, major, minor] : undefined;
  } catch {
    return undefined;
  }
}
