import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleCommandLine } from '../../../clients/typescript/bundle.ts';
import type { Json } from '../../../providers/provider.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { newNamespace, setPublisherStage } from '../../api/publisher/publisherStage.ts';
import { sharedSandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';
import { call } from '../agentCallStage.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The platform with a publisher, an operator and another workspace, and the command line as it is shipped, in a folder of its own. */
export async function setPublishStage() {
  const stage = await setPublisherStage({ sandbox: await sharedSandbox() });
  stage.upstream.script(answerOf);
  const home = mkdtempSync(join(tmpdir(), 'command-line-'));
  const program = join(home, 'cli.mjs');
  await bundleCommandLine(program);
  const namespace = newNamespace();

  /** Starts a command, as without a terminal. */
  function start(args: string[], { cwd = home, key = stage.publisher.secret }: { cwd?: string; key?: string } = {}) {
    const env = {
      PATH: process.env.PATH,
      LEDGERLINE_BASE_URL: stage.url,
      LEDGERLINE_API_KEY: key,
      XDG_CONFIG_HOME: home,
    };
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text));
    const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...printed }));
    return {
      ended,
      /** Waits until it says this. */
      async said(text: string): Promise<void> {
        await until(() => printed.stderr.includes(text) || child.exitCode !== null, { timeoutMs: 60_000 });
        if (!printed.stderr.includes(text))
          throw new Error(`it ended without “${text}”:\n${printed.stdout}${printed.stderr}`);
      },
      interrupt: () => child.kill('SIGINT'),
    };
  }

  const run = (args: string[], options?: Parameters<typeof start>[1]) => start(args, options).ended;

  /** The folder of a new agent, whose name no other has. */
  async function init(slug: string, ...options: string[]) {
    const made = await run(['init', slug, '--namespace', namespace, ...options]);
    if (made.code !== 0) throw new Error(made.stderr);
    const path = join(home, slug);
    return {
      path,
      name: `${namespace}/${slug}`,
      read: (file: string) => readFileSync(join(path, file), 'utf8'),
      write: (file: string, text: string) => writeFileSync(join(path, file), text),
      /** Changes members of `agent.json`. */
      change: (members: object) => {
        const file = join(path, 'agent.json');
        writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...members }, null, 2));
      },
    };
  }

  return {
    ...stage,
    namespace,
    home,
    start,
    run,
    init,
    async versionsOf(name: string): Promise<unknown[]> {
      const { stdout } = await run(['versions', name, '--json']);
      return JSON.parse(stdout) as unknown[];
    },
    async close(): Promise<void> {
      rmSync(home, { recursive: true, force: true });
      await stage.close();
    },
  };
}

export const verse = 'Rain on tin,\na soft grey sound,\nwater comes in,\nand runs around.';

/** The model: data where it has to return some, and otherwise a verse. */
function answerOf({ tools = [], messages }: Json): Script {
  const names = (tools as { function: { name: string } }[]).map((tool) => tool.function.name);
  const isDone = (messages as { role: string }[]).some(({ role }) => role === 'tool');
  if (!names.includes('return_data') || isDone) return { text: verse };
  return { toolCalls: [call('return_data', { topic: 'delivery', urgency: 4, summary: 'A parcel is late.' })] };
}
