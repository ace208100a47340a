import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
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
        listed: [true],
        files: [['poem.md', 'Tea.']],
        input: ['input_text', 'input_file', 'input_file'],
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

    const add = (agent: string, ...options: string[]) =>
      installed.call(['-m', 'ledgerline', 'add', agent, ...options], environment());
    const use = (program: string) => installed.call(['-c', program], { ...environment(), PYTHONPATH_MORE: folder });

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
        'import asyncio, os, sys',
        'sys.path.insert(0, os.environ["PYTHONPATH_MORE"])',
        `from forecast import ${name}, ${name}_async`,
        `print(${name}(city="Ulm").data${rain}, asyncio.run(${name}_async(city="Ulm", plan="None.")).data${rain})`,
      ];
      expect(await use(program.join('\n'))).toEqual({ status: 0, output: '0.4 0.4\n' });
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
