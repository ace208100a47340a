import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../support/folder.ts';

const compiler = join(import.meta.dirname, '../../../clients/typescript/node_modules/typescript/bin/tsc');

/** The text of a customer's program. */
export const programText = (file: string): string => readFileSync(join(import.meta.dirname, 'programs', file), 'utf8');

export type NpmProject = Awaited<ReturnType<typeof makeNpmProject>>;

/** An empty project of a customer, into which npm installs a package from an address. */
export async function makeNpmProject(address: string, { node = process.execPath }: { node?: string } = {}) {
  const folder = await makeFolder();
  const { path } = folder;
  // npm and npx run with this Node, as they do for its user. Variables of the npm that runs the tests stay outside.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|node_options$)/i.test(name));
  const env = { ...Object.fromEntries(own), PATH: `${dirname(node)}:${process.env.PATH}` };
  const run = async (command: string, args: string[], more: Record<string, string> = {}) =>
    (await promisify(execFile)(command, args, { cwd: path, env: { ...env, ...more } })).stdout;
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), text);
  };

  await write('package.json', JSON.stringify({ name: 'customer', version: '1.0.0', type: 'module', private: true }));
  await run('npm', ['install', '--no-audit', '--no-fund', address]);

  return {
    path,
    write,
    run,
    /** Runs a program of the project. */
    node: (file: string, more?: Record<string, string>) => run(node, [file], more),
    /** Checks the types of a file. Throws what the compiler says. */
    check: (file: string, moduleResolution: 'nodenext' | 'bundler', target = 'es2022') => {
      const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
      const options = {
        module,
        moduleResolution,
        target,
        lib: 'es2023,dom',
        strict: 'true',
        noEmit: 'true',
      };
      const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
      return run(process.execPath, [compiler, ...args, file]).catch(({ stdout }: { stdout: string }) => {
        throw new Error(stdout);
      });
    },
    remove: () => folder.remove(),
  };
}
