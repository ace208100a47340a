import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../../support/until.ts';

const program = join(import.meta.dirname, '../../../clients/typescript/cli/main.ts');

export type Listener = Awaited<ReturnType<typeof startListener>>;

/** The command line from its sources, as a process that goes on: without a terminal, with a folder of its own for what it keeps. */
export async function startListener(args: string[], { url, secret, home }: Record<'url' | 'secret' | 'home', string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const own = { LEDGERLINE_BASE_URL: url, LEDGERLINE_API_KEY: secret, XDG_CONFIG_HOME: home };
  const env = { PATH, NODE_COMPILE_CACHE, ...own };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text));
  const closed = once(child, 'close').then(([code]) => code as number);
  return {
    printed,
    /** Waits until it says this; throws when it ends before. */
    async said(text: string, name: keyof typeof printed = 'stderr'): Promise<void> {
      await until(() => printed[name].includes(text) || child.exitCode !== null);
      if (!printed[name].includes(text)) throw new Error(`it ended:\n${printed.stdout}${printed.stderr}`);
    },
    /** The code of its exit. */
    closed,
    /** Ctrl-C. */
    interrupt(): Promise<number> {
      child.kill('SIGINT');
      return closed;
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
