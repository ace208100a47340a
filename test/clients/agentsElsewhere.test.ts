import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '../../db/ids.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { call, setAgentCallStage } from './agentCallStage.ts';
import { installNodeClients } from './nodeClients.ts';
import { installVenv, runPython } from './pythonVenv.ts';
import { testWithPython } from './withPython.ts';

/** Of version 0.3 of `@a2a-js/sdk`: `any`, because its package is installed by the first run of the test. */
type Sdk = ReturnType<NodeJS.Require>;

const stage = await setAgentCallStage();
afterEach(() => stage.upstream.reset());
afterAll(() => stage.close());

const toolOf = (agent: string) => agent.replace('/', '__');

describe('other official clients', () => {
  test('the Inspector lists and calls agents, and reports no fault of their schemas', async () => {
    const requireClient = await installNodeClients('agents');
    const program = join(
      dirname(requireClient.resolve('@modelcontextprotocol/inspector/package.json')),
      'clients/launcher/build/index.js',
    );
    const inspect = async (...args: string[]) => {
      const header = ['--header', `Authorization: Bearer ${stage.stranger.secret}`];
      const all = [program, '--cli', `${stage.url}/v1/mcp`, '--transport', 'http', ...header, ...args];
      const { stdout } = await promisify(execFile)(process.execPath, all);
      return JSON.parse(stdout) as { tools: { name: string }[]; structuredContent: object };
    };
    const { tools } = await inspect('--method', 'tools/list', '--strict');
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['answer_run', toolOf(stage.poet)]));
    stage.upstream.script({ toolCalls: [call('return_data', { rain: 0.4 })] });
    const ask = ['--method', 'tools/call', '--tool-name', toolOf(stage.forecaster), '--tool-arg', 'city=Rome'];
    expect((await inspect(...ask)).structuredContent).toEqual({ rain: 0.4 });
  }, 600_000);

  testWithPython(
    'the Python client of MCP calls agents, in both editions',
    async () => {
      const python = await installVenv('venv-agents', 'agents-requirements.txt');
      const { status, output } = await runPython(python, ['call_over_mcp.py'], {
        ADDRESS: `${stage.url}/v1/mcp`,
        API_KEY: stage.stranger.secret,
        TOOL: toolOf(stage.poet),
      });
      if (status !== 0) throw new Error(output);
      expect(output).toContain('2 editions answered');
    },
    1_200_000,
  );

  testWithPython(
    'the Python client of A2A runs, streams, cancels and answers',
    async () => {
      const python = await installVenv('venv-agents', 'agents-requirements.txt');
      const { status, output } = await runPython(python, ['call_over_a2a.py'], {
        ADDRESS: `${stage.url}/a2a/${stage.poet}`,
        API_KEY: stage.stranger.secret,
      });
      if (status !== 0) throw new Error(output);
      expect(output).toContain('2 bindings answered');
    },
    1_200_000,
  );

  test('a client of version 0.3 reads the cards, and learns from an error which version to use', async () => {
    const sdk: Sdk = (await installNodeClients('agents'))('a2a-sdk-03/client');
    for (const path of [`a2a/${stage.poet}/`, '']) {
      const response = await fetch(`${stage.url}/${path}.well-known/agent-card.json`);
      expect(await response.json()).toMatchObject({
        url: `${stage.url}/a2a${path && `/${stage.poet}`}`,
        preferredTransport: 'JSONRPC',
        protocolVersion: '1.0',
        securitySchemes: { bearer: { type: 'http', scheme: 'Bearer' } },
        security: [{ bearer: [] }],
      });
    }
    const fetchImpl: typeof fetch = (url, init) =>
      fetch(url, {
        ...init,
        headers: { ...(init?.headers as object), authorization: `Bearer ${stage.stranger.secret}` },
      });
    const transports = [new sdk.JsonRpcTransportFactory({ fetchImpl })];
    const client = await new sdk.ClientFactory({ transports }).createFromUrl(`${stage.url}/a2a/${stage.poet}/`);
    expect((await client.getAgentCard()).skills.map(({ id }: Sdk) => id)).toEqual([stage.poet]);
    const message = { kind: 'message', messageId: newId('msg'), role: 'user', parts: [{ kind: 'text', text: 'x' }] };
    await expect(client.sendMessage({ message })).rejects.toThrow(/speaks version 1\.0/);
  }, 600_000);
});

test('their calls keep the ledger sound', () => expectSoundLedger(stage.db));
