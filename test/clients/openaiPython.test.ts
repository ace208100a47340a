import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { embeddingModel, textModel } from '../support/startApi.ts';
import { startClientStage, type ClientStage } from './clientStage.ts';

const scripts = join(import.meta.dirname, 'python');
const venv = join(import.meta.dirname, '..', '..', '.data', 'venv');
const setupTimeoutMs = 300_000;
const scriptTimeoutMs = 120_000;

const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
const describeWithPython = hasPython ? describe : describe.skip;

describeWithPython('the official Python client', () => {
  let stage: ClientStage;

  beforeAll(async () => {
    await installClient();
    stage = await startClientStage();
  }, setupTimeoutMs);
  afterAll(() => stage?.stop());

  const files = readdirSync(scripts).filter((name) => name.startsWith('test_'));
  test.each(files)(
    'is content with everything in %s',
    async (file) => {
      const { status, output } = await run(join(venv, 'bin', 'python'), ['-m', 'unittest', '-v', file], {
        BASE_URL: stage.baseUrl,
        API_KEYS: JSON.stringify(stage.keys),
        TEXT_MODEL: textModel,
        EMBEDDING_MODEL: embeddingModel,
      });
      if (status !== 0) throw new Error(output);
      expect(output).toMatch(/Ran [1-9]\d* tests? in .*\n\nOK\n$/);
    },
    scriptTimeoutMs,
  );
});

/** Makes the virtual environment, once for each state of the requirements. */
async function installClient(): Promise<void> {
  const requirements = join(scripts, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  const mark = join(venv, 'installed.txt');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  await runWell('python3', ['-m', 'venv', '--clear', venv]);
  await runWell(join(venv, 'bin', 'pip'), ['install', '--quiet', '--requirement', requirements]);
  writeFileSync(mark, wanted);
}

async function runWell(command: string, args: string[]): Promise<void> {
  const { status, output } = await run(command, args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${output}`);
}

/** Runs a program in the scripts' folder. Its two outputs come as one text. */
async function run(command: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { cwd: scripts, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}
