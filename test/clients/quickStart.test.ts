import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { quickStartOf } from '../../api/docs/pages/quickStart.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { readSound } from '../support/sound.ts';
import { textModel } from '../support/startApi.ts';
import { startClientStage } from './clientStage.ts';
import { installNodeClients } from './nodeClients.ts';
import { installVenv } from './pythonVenv.ts';
import { describeWithPython } from './withPython.ts';

const models = [
  { id: textModel, kind: 'text' },
  { id: 'speech', kind: 'speech' },
] as Model[];
const snippets = new Map(quickStartOf(models).map((snippet) => [snippet.id, snippet]));

const folder = mkdtempSync(join(tmpdir(), 'quick-start-'));
const stage = await startClientStage();
afterAll(async () => {
  await stage.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program like its reader: pasted into a file, with the two variables set. */
async function run(id: string, file: string, command: string): Promise<string> {
  writeFileSync(join(folder, file), snippets.get(id)!.code);
  const env = { ...process.env, BASE_URL: new URL(stage.baseUrl).origin, API_KEY: stage.keys.funded };
  const child = spawn(command, [file], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(output);
  return output;
}

const useModulesOf = (modules: string) => {
  rmSync(join(folder, 'node_modules'), { force: true });
  symlinkSync(modules, join(folder, 'node_modules'));
};
const spoken = () => readSound(readFileSync(join(folder, 'hello.mp3')));

describe('the quick start works when pasted', () => {
  test('in a shell', async () => {
    expect(JSON.parse((await run('curl', 'call.sh', 'bash')).replace(/^[^{]*/, ''))).toMatchObject({
      model: textModel,
    });
  });

  test('with OpenAI for Node', async () => {
    useModulesOf(join(import.meta.dirname, '..', '..', 'node_modules'));
    expect(await run('openai-node', 'chat.mjs', process.execPath)).toMatch(/\w/);
  });

  test('with ElevenLabs for Node', async () => {
    const requireClient = await installNodeClients();
    const entry = requireClient.resolve('@elevenlabs/elevenlabs-js');
    useModulesOf(entry.slice(0, entry.lastIndexOf('node_modules') + 'node_modules'.length));
    await run('elevenlabs-node', 'speak.mjs', process.execPath);
    expect(spoken()).toMatchObject({ codec: 'mp3' });
  }, 600_000);
});

describeWithPython('the quick start works when pasted, in Python', () => {
  let python: string;
  beforeAll(async () => {
    python = await installVenv('venv', 'requirements.txt');
  }, 600_000);

  test('with OpenAI', async () => {
    expect(await run('openai-python', 'chat.py', python)).toMatch(/\w/);
  });

  test('with ElevenLabs', async () => {
    await run('elevenlabs-python', 'speak.py', python);
    expect(spoken()).toMatchObject({ codec: 'mp3' });
  });
});
