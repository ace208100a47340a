import { afterAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Script } from '../../../rules/scripted/script.ts';
import { makeFolder } from '../../support/folder.ts';
import { testWhen } from '../../support/needs.ts';
import { textModel } from '../../support/startApi.ts';
import { call } from '../agentCallStage.ts';
import { installNodeClients } from '../nodeClients.ts';
import { setSnippetStage } from './snippetStage.ts';

const GUIDE = new URL('../../../docs/guides/coding-agents.md', import.meta.url);
const COMMAND = 'echo 42 > answer.txt';

const requireClient = await installNodeClients('codingAgents');
const [stage, folder] = await Promise.all([setSnippetStage(), makeFolder()]);
afterAll(async () => {
  await stage.close();
  await folder.remove();
});

/** The settings that the guide shows in this language, for this installation. */
async function settingsIn(language: string): Promise<string> {
  const [, text] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(await readFile(GUIDE, 'utf8'))!;
  return text!.replaceAll('{{baseUrl}}', stage.url).replaceAll('{{textModel}}', textModel);
}

/** Runs a program in a project of its own, with a model that calls one tool and then ends. */
async function work(
  name: string,
  {
    tool,
    program,
    args,
    settings,
  }: { tool: Script; program: string; args: string[]; settings: [file: string, text: string] },
): Promise<{ printed: string; written: string }> {
  stage.upstream.script({ turns: [tool, { text: 'The answer is written.' }] });
  const project = join(folder.path, name);
  await mkdir(project);
  await writeFile(join(project, settings[0]), settings[1]);
  const env = {
    PATH: process.env.PATH,
    HOME: project,
    CODEX_HOME: project,
    LEDGERLINE_API_KEY: stage.env.LEDGERLINE_API_KEY,
  };
  const running = promisify(execFile)(program, args, { cwd: project, env, timeout: 120_000 });
  running.child.stdin!.end();
  const { stdout } = await running;
  return { printed: stdout, written: await readFile(join(project, 'answer.txt'), 'utf8') };
}

describe('with the settings of the guide', () => {
  test('Codex calls a tool and ends', async () => {
    const { printed, written } = await work('codex', {
      tool: { toolCalls: [call('exec_command', { cmd: COMMAND })] },
      program: process.execPath,
      args: [
        requireClient.resolve('@openai/codex/bin/codex.js'),
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        'Write the answer.',
      ],
      settings: ['config.toml', await settingsIn('toml')],
    });
    expect(written).toBe('42\n');
    expect(printed).toContain('The answer is written.');
  });

  // Its packages are one for each platform.
  const here = `${process.platform}-${process.arch}`;
  testWhen(here === 'linux-x64', 'Linux on x64')('opencode calls a tool and ends', async () => {
    const { printed, written } = await work('opencode', {
      tool: { toolCalls: [call('bash', { command: COMMAND, description: 'Writes the answer' })] },
      program: join(dirname(requireClient.resolve('opencode-linux-x64-baseline/package.json')), 'bin', 'opencode'),
      args: ['run', 'Write the answer.'],
      settings: ['opencode.json', await settingsIn('json')],
    });
    expect(written).toBe('42\n');
    expect(printed).toContain('The answer is written.');
  });
});
