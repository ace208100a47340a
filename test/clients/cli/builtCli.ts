import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { findProgram } from '../../../ops/stack/findProgram.ts';
import { makeFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { buildForTests } from '../packages/buildForTests.ts';

const packages = join(import.meta.dirname, '../../../clients/dist/typescript');
/** util-linux's program that gives another one a terminal. */
export const hasTerminals = findProgram(['script'], process.env.PATH ?? '') !== undefined;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type BuiltCli = Awaited<ReturnType<typeof openCli>>;

/** The command line as it is shipped, in an empty home. */
export async function openCli(given: Record<string, string> = {}) {
  await buildForTests();
  const folder = await makeFolder();
  const home = join(folder.path, 'home');
  const bin = join(folder.path, 'bin');
  for (const path of [home, bin]) await mkdir(path);
  const archive = (await readdir(packages)).find((name) => name.endsWith('.tgz'))!;
  await promisify(execFile)('tar', ['-xzf', join(packages, archive), '-C', folder.path]);
  const program = join(folder.path, 'package/dist/cli.js');
  // Nothing of the machine's own terminal, logins and keyring.
  const path = [bin, join(process.execPath, '..'), '/usr/bin', '/bin'].join(delimiter);
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), PATH: path, TERM: 'xterm-256color', ...given };

  /** Starts it. */
  const start = (args: string[], { input = '', ...more }: { input?: string; env?: Record<string, string> } = {}) =>
    started(spawn(process.execPath, [program, ...args], { env: { ...env, ...more.env }, cwd: home }), input);

  /** Runs it to its end. */
  const run = (...given: Parameters<typeof start>): Promise<Ended> => start(...given).ended();

  /** Runs a line of a shell, in which `ledgerline` is the command. */
  const shell = (line: string, name = 'bash'): Promise<Ended> =>
    started(spawn(name, ['-c', line], { env, cwd: home }), '').ended();

  await writeFile(join(bin, 'ledgerline'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  return {
    home,
    bin,
    start,
    run,
    shell,
    /** Starts it on a terminal. */
    terminal: (args: string[], more: Record<string, string> = {}) =>
      openTerminal([process.execPath, program, ...args], { env: { ...env, ...more }, cwd: home }),
    /** A shell on a terminal. */
    shellTerminal: (command: string[]) => openTerminal(command, { env, cwd: home }),
    /** What a command prints with `--json`. Throws when it fails. */
    async json<Result>(args: string[], more: Record<string, string> = {}): Promise<Result> {
      const { code, stdout, stderr } = await run([...args, '--json'], { env: more });
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Result;
    },
    remove: () => folder.remove(),
  };
}

function started(child: ReturnType<typeof spawn>, input: string) {
  const [stdout, stderr] = [textOf(child.stdout!), textOf(child.stderr!)];
  child.stdin!.on('error', () => {});
  child.stdin!.end(input);
  const closed = new Promise<number | null>((resolve) => void child.on('close', resolve));
  return {
    stdout,
    stderr,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    ended: async (): Promise<Ended> => ({ code: await closed, stdout: stdout(), stderr: stderr() }),
  };
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
}

export type Terminal = ReturnType<typeof openTerminal>;
export const CTRL_C = '\x03';
export const ENTER = '\r';
export const DOWN = '\x1b[B';

function openTerminal(command: string[], { env, cwd }: { env: Record<string, string>; cwd: string }) {
  const line = `stty cols 100 rows 40; exec ${command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], { env: { ...env, SHELL: '/bin/sh' }, cwd });
  const text = textOf(child.stdout);
  const closed = new Promise<number | null>((resolve) => void child.on('close', resolve));
  const plain = () => stripVTControlCharacters(text());
  return {
    raw: text,
    /** What was written, without colours and movements. */
    plain,
    write: (keys: string) => void child.stdin.write(keys),
    /** Waits until it shows this. */
    shows: (part: string) => until(() => plain().includes(part)),
    kill: () => child.kill('SIGKILL'),
    /** Its exit code. */
    ended: () => closed,
  };
}
