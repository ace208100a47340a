import { expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import { runAdminProcess } from '../ops/admin/runAdmin.ts';
import { launchStack, makeDataFolder } from '../support/startStack.ts';
import { until } from '../support/until.ts';
import { installVenv } from './pythonVenv.ts';
import { salesModel } from './salesModel.ts';

const root = join(import.meta.dirname, '..', '..');
const example = join(root, 'docs', 'examples', 'salesReport');

export type SalesStage = Awaited<ReturnType<typeof setSalesStage>>;

export interface Run {
  id: string;
  agent: string;
  source: string;
  status: string;
  version_id: string;
  parent_run_id: string | null;
  max_cost_usd: number;
  output: { type: string; file_id?: string }[];
  usage: {
    meters: { id: string; quantity: number; price_usd: number; cost_usd: number }[];
    subtotal_usd: number;
    network_fee_usd: number;
    total_usd: number;
    children_usd: number;
  };
}

type Program = 'sh' | 'bash' | 'node' | 'openai' | 'agents';

/**
 * An installation like `npm start` creates, with a vendor's key for the agents' model: the vendor is scripted and speaks OpenAI's protocol.
 * Has a publisher, an operator and a caller, and a folder in which they run the programs of `docs/examples/salesReport` and of the guide.
 */
export async function setSalesStage() {
  const vendor = await startScripted();
  vendor.script(salesModel);
  const data = await makeDataFolder();
  const env = {
    AGENT_UPSTREAM_URL: vendor.url,
    AGENT_UPSTREAM_KEY: 'sk-vendor',
    AGENT_UPSTREAM_USD_PER_MILLION: '0.4/1.6',
  };
  const { process: stack, installation } = await launchStack(data.path, { env });
  const { apiUrl, key } = installation;
  const admin = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await runAdminProcess([...args, '--json'], { DATA_DIR: data.path });
    if (exitCode !== 0) throw new Error(stderr || stdout);
    return JSON.parse(stdout) as Record<string, unknown> & { id: string; key: string };
  };
  const { id: workspace } = await admin('workspaces', 'create', '--name', 'Tea house');
  const scopes = ['--scopes', 'llm,publisher', '--workspace', workspace];
  const publisher = (await admin('keys', 'create', '--name', 'publisher', ...scopes)).key;
  const operator = (await admin('keys', 'create', '--name', 'operator', '--scopes', 'operator')).key;
  const pythons = {
    openai: await installVenv('venv', 'requirements.txt'),
    agents: await installVenv('venv-agents', 'agents-requirements.txt'),
  };

  const folder = mkdtempSync(join(tmpdir(), 'sales-report-'));
  cpSync(example, folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const namespace = 'tea-house';
  const agent = `${namespace}/sales-report`;
  const commands: Record<Program, string> = { sh: 'sh', bash: 'bash', node: process.execPath, ...pythons };

  /** Runs a file of the folder like its reader. Returns its output. */
  async function run(
    program: Program,
    file: string,
    variables: Record<string, string> = {},
    args: string[] = [],
  ): Promise<string> {
    const own = { BASE_URL: apiUrl, API_KEY: key!, AGENT: agent, NAMESPACE: namespace, OPERATOR_KEY: operator };
    const child = spawn(commands[program], [file, ...args], {
      cwd: folder,
      env: { ...process.env, ...own, ...variables, PYTHONDONTWRITEBYTECODE: '1' },
    });
    const [out, err] = ['', ''].map(() => ({ text: '' })) as [{ text: string }, { text: string }];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out.text += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err.text += text));
    const [status] = (await once(child, 'close')) as [number | null];
    if (status !== 0) throw new Error(`${file} ended with ${status}: ${err.text}${out.text}`);
    return out.text.trim();
  }

  async function get<Answer>(path: string, by = key!): Promise<Answer> {
    const response = await fetch(`${apiUrl}${path}`, { headers: { authorization: `Bearer ${by}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  const snippets = await readSnippets(apiUrl);
  let callsTaken = 0;

  /** The model's calls since the last time. */
  function takeCalls() {
    const calls = vendor.calls().slice(callsTaken);
    callsTaken += calls.length;
    return calls;
  }

  /** Takes a program of the guide; each is used once. */
  function takeSnippet(mark: string): string {
    const at = snippets.findIndex((code) => code.includes(mark));
    if (at < 0) throw new Error(`the guide has no program with ${mark}`);
    return snippets.splice(at, 1)[0]!;
  }

  function runSnippet(program: Program, mark: string): Promise<string> {
    const file = program === 'node' ? 'snippet.mjs' : 'snippet';
    writeFileSync(join(folder, file), takeSnippet(mark));
    return run(program, file);
  }

  const balanceNanos = async () =>
    BigInt(Math.round((await get<{ balance: number }>('/platform/v1/key')).balance * 1e9));
  const creditNanos = await balanceNanos();
  const runs = async () => (await get<{ data: Run[] }>('/v1/runs?limit=100')).data;

  /** Waits until the review has run all trials: an example and three probes, and with `isLive` the example with the public version. */
  async function tried(deployment: string, { isLive }: { isLive: boolean }): Promise<void> {
    const isDone = (trial: Trial | null) => trial?.status === 'completed';
    await until(
      async () => {
        const { data } = await get<{ data: { submitted: Trial | null; live: Trial | null }[] }>(
          `/console/v1/deployments/${deployment}/trials`,
          operator,
        );
        const isCompared = !isLive || data.some(({ live }) => isDone(live));
        return data.length === 4 && data.every(({ submitted }) => isDone(submitted)) && isCompared;
      },
      { timeoutMs: 240_000, pollMs: 300 },
    );
    takeCalls();
  }

  return {
    ...installation,
    takeCalls,
    agent,
    namespace,
    admin,
    run,
    get,
    getAsPublisher: <Answer>(path: string) => get<Answer>(path, publisher),
    publish: (file: string, args: string[]) => run('bash', file, { API_KEY: publisher }, args),
    operate: (file: string, args: string[]) => run('bash', file, {}, args),
    tried,
    versionsOf: async (id: string) =>
      (await get<{ data: { id: string }[] }>(`/v1/publisher/agents/${id}/versions`, publisher)).data,
    runs,
    lastRun: async () => (await runs())[0]!,
    spentNanos: async () => creditNanos - (await balanceNanos()),
    runSnippet,
    takeSnippet,
    snippetsLeft: () => snippets,
    filled: (text: string) => text.replaceAll('BASE_URL', apiUrl).replaceAll('API_KEY', key!),
    /** The file that a run has made. */
    async fileOf({ output }: Run): Promise<Buffer> {
      const [made, ...others] = output.filter(({ type }) => type === 'output_file');
      expect(others).toEqual([]);
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${apiUrl}/v1/files/${made!.file_id}/content`, { headers });
      return Buffer.from(await response.arrayBuffer());
    },
    /** A file that a program has saved. */
    takeFile(name: string): Buffer {
      const bytes = readFileSync(join(folder, name));
      rmSync(join(folder, name));
      return bytes;
    },
    readJson: (file: string) => JSON.parse(readFileSync(join(example, file), 'utf8')) as Record<string, unknown>,
    async close(): Promise<void> {
      stack.kill('SIGINT');
      if (stack.exitCode === null) await once(stack, 'exit');
      await vendor.stop();
      rmSync(folder, { recursive: true, force: true });
      await data.remove();
    },
  };
}

interface Trial {
  status: string;
}

/** The programs of the agents' guide, as its readers copy them from the page. */
async function readSnippets(apiUrl: string): Promise<string[]> {
  const guide = await (await fetch(`${apiUrl}/docs/guides/agents`)).text();
  return [...guide.matchAll(/<pre>([^]*?)<\/pre>/g)].map(([, code]) => unescaped(code!));
}

const unescaped = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** A run's bill is its model's usage (`calls`) and its other meters at their prices, rounded once, plus the fee of 10 %, to the nano. */
export function expectBill({ usage }: Run, calls: { promptTokens: number; outputTokens: number }[]): void {
  const metered = (id: string) => usage.meters.find((meter) => meter.id === id)?.quantity;
  const read = calls.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
  const written = calls.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  expect([metered('model_input_tokens'), metered('model_output_tokens')]).toEqual([read, written]);
  const picos = usage.meters.reduce(
    (sum, { quantity, price_usd: price }) =>
      sum + BigInt(Math.round(quantity * 1e3)) * BigInt(Math.round(price * 1e12)),
    0n,
  );
  const subtotal = (picos + 500_000n) / 1_000_000n;
  const fee = (subtotal * 10n + 50n) / 100n;
  const billed = [usage.subtotal_usd, usage.network_fee_usd, usage.total_usd].map((usd) =>
    BigInt(Math.round(usd * 1e9)),
  );
  expect(billed).toEqual([subtotal, fee, subtotal + fee]);
  expect(subtotal).toBeGreaterThan(0n);
}
