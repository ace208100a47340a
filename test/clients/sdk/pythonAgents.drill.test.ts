import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { publishAgent } from '../../support/agent.ts';
import { call, setAgentCallStage, type AgentCallStage } from '../agentCallStage.ts';
import { describeWithPython } from '../withPython.ts';
import { installPackage, type PythonPackage } from './pythonPackage.ts';

let stage: AgentCallStage;
let installed: PythonPackage;

describeWithPython('the package for Python', () => {
  beforeAll(async () => {
    installed = await installPackage();
    stage = await setAgentCallStage();
  }, 600_000);
  afterEach(() => stage.upstream.reset());
  afterAll(async () => {
    await stage?.close();
    await installed?.remove();
  });

  test('runs agents, follows them, answers them, and says what they cost', async () => {
    const agents = JSON.stringify({ poet: stage.poet, planner: stage.planner });
    const seen = await installed.run('run_agents.py', { ...environment(), AGENTS: agents });
    expect(seen).toEqual({
      sync: {
        text: 'Blue.',
        cost: true,
        events: 'run.completed',
        billed: true,
        streamed: ['Green.', 'completed'],
        'listed events': 'run.completed',
        listed: [true],
        files: [['poem.md', 'Tea.']],
        input: ['input_text', 'input_file', 'input_file'],
        voices: 'scope_not_allowed',
        vendors: ['White.', [200, 403]],
        refused: [404, 'agent_not_found', true],
      },
      async: {
        asks: 'Which city?',
        answered: 'Rome, then.',
        together: 'Booked.',
        cancelled: 'cancelled',
        recorded: [1, true, true],
      },
    });
  }, 600_000);

  describe('writes an agent as a typed function', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ledgerline-add-'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    const publisher = () => ({ ...environment(), LEDGERLINE_API_KEY: stage.publisher.secret });
    const add = (agent: string, ...options: string[]) =>
      installed.call(['-m', 'ledgerline', 'add', agent, ...options], environment());
    const use = (program: string[], env: Record<string, string> = environment()) => {
      const lines = ['import os, sys', 'sys.path.insert(0, os.environ["WRITTEN"])', ...program];
      return installed.call(['-c', lines.join('\n')], { ...env, WRITTEN: folder });
    };

    test.each(['pydantic', 'typed-dict'])('with types of %s, whose call is a run', async (types) => {
      const out = join(folder, 'forecast.py');
      expect(await add(stage.forecaster, '--out', out, '--types', types)).toMatchObject({ status: 0 });
      const written = await readFile(out, 'utf8');
      expect(written).toContain(
        types === 'pydantic' ? 'Output(BaseModel):\n    rain: float' : 'Output(TypedDict):\n    rain: float',
      );
      expect(await add(stage.forecaster, '--out', out, '--check')).toMatchObject({ status: 0 });
      stage.upstream.script({ toolCalls: [call('return_data', { rain: 0.4 })] });
      const name = stage.forecaster.split('/')[1]!;
      const rain = types === 'pydantic' ? '.rain' : '["rain"]';
      const program = [
        'import asyncio',
        `from forecast import ${name}, ${name}_async`,
        `print(${name}(city="Ulm").data${rain}, asyncio.run(${name}_async(city="Ulm", plan="None.")).data${rain})`,
      ];
      expect(await use(program)).toEqual({ status: 0, output: '0.4 0.4\n' });
    });

    test('of an agent of its own workspace alone, by its private version', async () => {
      const { workspaceId } = stage.publisher;
      const own = await publishAgent(stage.db, {}, { workspaceId, visibility: 'private' });
      expect(await add(own)).toMatchObject({ status: 2, output: expect.stringContaining('agent_not_found') });
      const args = ['-m', 'ledgerline', 'add', own, '--private', '--out', join(folder, 'own.py')];
      expect(await installed.call(args, publisher())).toMatchObject({ status: 0 });
      // It is found without the option, too, and the file says how it is called.
      const found = args.filter((arg) => arg !== '--private');
      expect(await installed.call([...found, '--check'], publisher())).toMatchObject({ status: 0 });
      const name = own.split('/')[1]!;
      const program = [`from own import ${name}`, `print(${name}("Hello.").run["status"])`];
      expect(await use(program, publisher())).toEqual({ status: 0, output: 'completed\n' });
    });

    test('of a text, and says when it is no longer up to date', async () => {
      const out = join(folder, 'poet.py');
      expect(await add(stage.poet, '--out', out)).toMatchObject({ status: 0 });
      expect(await readFile(out, 'utf8')).toContain('input: str | list[dict[str, Any]]');
      expect(await add(stage.planner, '--out', out, '--check')).toMatchObject({ status: 1 });
      expect(await add('nobody')).toMatchObject({ status: 2, output: expect.stringContaining('namespace/name') });
    });
  });

  const environment = () => ({ LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: stage.stranger.secret });
});
