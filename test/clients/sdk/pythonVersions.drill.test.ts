import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setAgentCallStage, type AgentCallStage } from '../agentCallStage.ts';
import { runPython } from '../pythonVenv.ts';
import { describeWithPython } from '../withPython.ts';
import { installPackage, type PythonPackage } from './pythonPackage.ts';

const scripts = join(import.meta.dirname, 'python');
const versions = ['3.10', '3.11', '3.12', '3.13', '3.14'].flatMap((name) => {
  const command = commandOf(name);
  return command ? [{ name, command }] : [];
});

describeWithPython('the package for Python', () => {
  let stage: AgentCallStage;
  beforeAll(async () => {
    stage = await setAgentCallStage();
  }, 600_000);
  afterAll(() => stage?.close());
  const environment = () => ({ LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: stage.stranger.secret });

  describe.each(versions)('in Python $name', (version) => {
    let installed: PythonPackage;
    beforeAll(async () => {
      installed = await installPackage(version);
    }, 600_000);
    afterAll(() => installed?.remove());

    test('passes the tests of its parts', async () => {
      const { status, output } = await installed.call([join(scripts, 'test_parts.py')]);
      if (status !== 0) throw new Error(output);
    });

    test('runs agents', async () => {
      const agents = JSON.stringify({ poet: stage.poet, planner: stage.planner });
      const seen = await installed.run('run_agents.py', { ...environment(), AGENTS: agents });
      expect(seen).toMatchObject({ sync: { text: 'Blue.' }, async: { answered: 'Rome, then.' } });
    });

    test('is installed into an empty environment, with what it needs and no more', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'ledgerline-empty-'));
      const run = async (command: string, ...args: string[]) => {
        const { status, output } = await runPython(command, args, environment());
        if (status !== 0) throw new Error(output);
        return output.trim();
      };
      try {
        await run(version.command, '-m', 'venv', folder);
        const python = join(folder, 'bin/python');
        await run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', installed.wheel);
        const out = join(folder, 'poet.py');
        await run(python, '-m', 'ledgerline', 'add', stage.poet, '--out', out);
        expect(await readFile(out, 'utf8')).toContain('# Types: typed-dict');
        const name = stage.poet.split('/')[1]!;
        const program = `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); from poet import ${name}; print(${name}("Hi.").run["status"])`;
        expect(await run(python, '-c', program)).toBe('completed');
        const listed = await run(python, '-m', 'pip', 'list', '--format=freeze', '--disable-pip-version-check');
        const names = listed.split('\n').map((line) => line.split('==')[0]!);
        expect(names).toEqual(expect.arrayContaining(['ledgerline', 'httpx', 'anyio', 'typing_extensions']));
        expect(names).not.toContain('pydantic');
      } finally {
        await rm(folder, { recursive: true });
      }
    }, 600_000);

    test('loads its generated code only when a plain call is made', async () => {
      const program = [
        'import sys, ledgerline',
        'print([name for name in sys.modules if name in ("ledgerline._sync.api", "ledgerline.generated.types")])',
      ];
      expect((await installed.call(['-c', program.join('; ')])).output).toBe('[]\n');
    });
  });
});

/** A Python of this version: by its name, or among those of pyenv. */
function commandOf(version: string): string | undefined {
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const found = folderNames(pyenv).filter((name) => name.startsWith(`${version}.`));
  const commands = [`python${version}`, ...found.map((name) => join(pyenv, name, 'bin/python'))];
  return commands.find((command) => spawnSync(command, ['-c', 'import venv, ensurepip']).status === 0);
}

function folderNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
