import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Script } from '../../../rules/scripted/script.ts';
import { makeFolder } from '../../support/folder.ts';
import { call } from '../agentCallStage.ts';
import { installNodeClients } from '../nodeClients.ts';
import { installVenv, runPython } from '../pythonVenv.ts';
import { describeWithPython } from '../withPython.ts';
import { setSnippetStage } from './snippetStage.ts';

const usingTool: Script = {
  turns: [{ toolCalls: [call('weather', { city: 'Rome' })] }, { text: 'Take an umbrella.' }],
};
const city = { name: 'Rome', rain: true };

/** The guide's programs, with how the model answers and what they print. */
const PROGRAMS: Record<string, [script: Script, printed: string]> = {
  'agents.mjs': [usingTool, 'Take an umbrella.\n'],
  'agents.py': [usingTool, 'Take an umbrella.\n'],
  'aiSdk.mjs': [usingTool, 'Take an umbrella.'],
  'instructor.py': [{ toolCalls: [call('City', city)] }, "name='Rome' rain=True\n"],
  'langchain.mjs': [{ text: JSON.stringify(city) }, "{ name: 'Rome', rain: true }\n"],
  'langchain.py': [{ text: JSON.stringify(city) }, "name='Rome' rain=True\n"],
  'pydanticAi.py': [usingTool, 'Take an umbrella.\n'],
};
const programsOf = (ending: string): string[] => Object.keys(PROGRAMS).filter((file) => file.endsWith(ending));

const [stage, folder] = await Promise.all([setSnippetStage(), makeFolder()]);
afterAll(async () => {
  await stage.close();
  await folder.remove();
});

/** Writes a program of the guide for this installation; in Python a file must not have the name of a package that it imports. */
async function place(file: string): Promise<{ program: string; printed: string; env: Record<string, string> }> {
  const [script, printed] = PROGRAMS[file]!;
  stage.upstream.script(script);
  const program = join(folder.path, `main${extname(file)}`);
  await writeFile(program, await stage.textOf(`frameworks/${file}`));
  const { LEDGERLINE_BASE_URL: BASE_URL, LEDGERLINE_API_KEY: API_KEY } = stage.env;
  return { program, printed, env: { BASE_URL, API_KEY } };
}

test('every program of the guide is run here', () => {
  const written = readdirSync(new URL('../../../docs/guides/snippets/frameworks', import.meta.url));
  expect(Object.keys(PROGRAMS)).toEqual(written.toSorted());
});

describe('the frameworks for Node', () => {
  beforeAll(async () => {
    const requireClient = await installNodeClients('frameworks');
    await symlink(join(dirname(requireClient.resolve('ai/package.json')), '..'), join(folder.path, 'node_modules'));
  }, 600_000);

  test.each(programsOf('.mjs'))('%s works as it is written', async (file) => {
    const { program, printed, env } = await place(file);
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      env: { PATH: process.env.PATH, ...env },
    });
    expect(stdout).toBe(printed);
  });
});

describeWithPython('the frameworks for Python', () => {
  let python: string;
  beforeAll(async () => {
    python = await installVenv('venv-frameworks', 'frameworks-requirements.txt');
  }, 600_000);

  test.each(programsOf('.py'))('%s works as it is written', async (file) => {
    const { program, printed, env } = await place(file);
    expect(await runPython(python, [program], env)).toEqual({ status: 0, output: printed });
  });
});
