import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type ElicitResult } from '@modelcontextprotocol/client';
import type { Script } from '../../rules/scripted/script.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import {
  asking,
  askingTogether,
  call,
  input_schema,
  output_schema,
  setAgentCallStage,
  told,
} from './agentCallStage.ts';

const stage = await setAgentCallStage();
afterEach(() => stage.upstream.reset());
afterAll(() => stage.close());

const toolOf = (agent: string) => agent.replace('/', '__');

type Elicited = { message: string; requestedSchema?: { properties: object } };
const FORM: Record<string, string> = { city: 'Ulm' };

interface Setting {
  mode?: 'legacy' | { pin: string };
  answer?: (request: { params: Elicited }) => ElicitResult;
  key?: string;
  url?: string;
}

async function withClient<T>(setting: Setting, work: (client: Client) => Promise<T>): Promise<T> {
  const { mode = { pin: '2026-07-28' }, answer, key = stage.stranger.secret, url = stage.url } = setting;
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, capabilities });
  if (answer) client.setRequestHandler('elicitation/create', ({ params }) => answer({ params }));
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/v1/mcp`), { requestInit }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const textOf = ({ content }: { content: unknown[] }) =>
  (content as { text?: string }[]).map(({ text }) => text).join('\n');

describe('a typed agent', () => {
  test('is a tool with its own schemas', async () => {
    await withClient({}, async (client) => {
      const { tools } = await client.listTools();
      const { inputSchema, outputSchema } = tools.find(({ name }) => name === toolOf(stage.forecaster))!;
      expect(outputSchema).toEqual(output_schema);
      const { files, ...own } = inputSchema.properties as Record<string, object>;
      expect({ ...inputSchema, properties: own }).toEqual(input_schema);
      expect(files).toMatchObject({ type: 'array', description: expect.stringContaining('text/csv') });
    });
  });

  test('answers in structured content, which the client checks', async () => {
    const script = { toolCalls: [call('return_data', { rain: 0.4 })] };
    stage.upstream.script(script);
    await withClient({}, async (client) => {
      const result = await client.callTool({
        name: toolOf(stage.forecaster),
        arguments: { city: 'Rome' },
        _meta: { 'ledgerline/max-cost-usd': 0.5 },
      });
      expect(result.structuredContent).toEqual({ rain: 0.4 });
      expect(textOf(result)).toBe('{"rain":0.4}');
      const run = await stage.lastRun();
      expect(result._meta).toMatchObject({ 'ledgerline/run': { id: run.id, status: 'completed' } });
      expect(run).toMatchObject({
        input: [{ type: 'input_data', data: { city: 'Rome' } }],
        max_cost_nanos: '500000000',
      });
    });
  });

  test('names the argument that does not fit, and what its answer lacks', async () => {
    await withClient({}, async (client) => {
      const refused = await client.callTool({ name: toolOf(stage.forecaster), arguments: { town: 'Rome' } });
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/^validation_error: .*city/)]);
    });
  });
});

describe('files', () => {
  test('are sent by id and as base64, and answers are read as resources', async () => {
    const form = new FormData();
    form.append('file', new Blob(['a,b\n1,2\n']), 'table.csv');
    form.append('purpose', 'agent_input');
    const headers = { authorization: `Bearer ${stage.stranger.secret}` };
    const sent = await fetch(`${stage.url}/v1/files`, { method: 'POST', body: form, headers });
    const { id } = (await sent.json()) as { id: string };
    const script: Script = {
      turns: [
        { toolCalls: [call('read_file', { path: 'note.md' })] },
        { toolCalls: [call('write_file', { path: 'poem.md', content: '# Rain' })] },
        { text: 'Written.' },
      ],
    };
    const note = { data: Buffer.from('Be brief.').toString('base64'), media_type: 'text/markdown', name: 'note' };
    stage.upstream.script(script);
    await withClient({}, async (client) => {
      const result = await client.callTool({
        name: toolOf(stage.poet),
        arguments: { input: 'Write a poem.', files: [{ file_id: id }, note] },
      });
      expect(result.isError).toBeUndefined();
      const { files, text } = result.structuredContent as { text: string; files: { uri: string; name: string }[] };
      expect([text, files]).toEqual(['Written.', [expect.objectContaining({ name: 'poem.md', size_bytes: 6 })]]);
      expect(result.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: files[0]!.uri }));
      const { contents } = await client.readResource({ uri: files[0]!.uri });
      expect(contents).toEqual([{ uri: files[0]!.uri, mimeType: 'text/markdown', text: '# Rain' }]);
      const { rows } = await stage.db.pool.query(
        `select result from run_steps where run_id = $1 and name = 'read_file'`,
        [(await stage.lastRun()).id],
      );
      expect(JSON.stringify(rows)).toContain('Be brief.');
      const publisher = { key: stage.publisher.secret };
      await withClient(publisher, async (other) => {
        await expect(other.readResource({ uri: files[0]!.uri })).rejects.toMatchObject({ code: -32602 });
      });
    });
  });

  test('of a refused call are not kept', async () => {
    const countOf = async () =>
      (await stage.db.pool.query('select count(*) from files where deleted_at is null')).rows[0].count;
    const before = await countOf();
    await withClient({}, async (client) => {
      const send = (files: object[]) => client.callTool({ name: toolOf(stage.poet), arguments: { input: 'x', files } });
      const good = { data: 'YQ==', name: 'a.txt' };
      expect(textOf(await send([good, { data: 'a b', name: 'b.txt' }]))).toMatch(/^validation_error: files\.1\.data: /);
      expect(textOf(await send([good, { file_id: 'file_none' }]))).toMatch(/^file_not_found: /);
      expect(
        textOf(await send([good, { data: Buffer.from('PK\x03\x04\0').toString('base64'), name: 'a.zip' }])),
      ).toMatch(/^unsupported_media_type: /);
      const old = { data: Buffer.from('d0cf11e0a1b11ae1', 'hex').toString('base64'), name: 'a.ppt' };
      expect(textOf(await send([good, old]))).toMatch(/^unsupported_media_type: 'a\.ppt' is .* convert it to PPTX/);
    });
    expect(await countOf()).toBe(before);
  });
});

describe('a question of the agent', () => {
  test('is asked by elicitation, and its answer continues the run, on another process too', async () => {
    const other = await stage.startAnother({ TEMPORAL_ADDRESS: stage.temporal.address, PORT: '0' });
    const questions: unknown[] = [];
    const answer = (): ElicitResult => ({ action: 'accept', content: { text: 'Rome' } });
    let url = stage.url;
    // The round trips of one call alternate between two processes.
    const fetchBy: typeof fetch = (input, init) => {
      const target = new URL(new URL(input instanceof Request ? input.url : input).pathname, url);
      url = url === stage.url ? other.url : stage.url;
      return fetch(target, init);
    };
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => (questions.push(params.message), answer()));
    const requestInit = { headers: { authorization: `Bearer ${stage.stranger.secret}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${stage.url}/v1/mcp`), { requestInit, fetch: fetchBy }),
    );
    try {
      const result = await client.callTool({ name: toolOf(stage.poet), arguments: { input: told(asking) } });
      expect([questions, textOf(result)]).toEqual([['Which city?'], 'Rome, then.']);
      expect(await stage.lastRun()).toMatchObject({ status: 'completed' });
    } finally {
      await client.close();
    }
  });

  test('and an approval are elicited together, by a form and a decision', async () => {
    const shown: object[] = [];
    const answer: Setting['answer'] = ({ params: { message, requestedSchema } }) => {
      shown.push([message, Object.keys(requestedSchema!.properties)]);
      const isForm = 'city' in requestedSchema!.properties;
      return { action: 'accept', content: isForm ? FORM : { decision: 'refuse', reason: 'No.' } };
    };
    await withClient({ answer }, async (client) => {
      const call = { name: toolOf(stage.planner), arguments: { input: told(askingTogether) } };
      expect(textOf(await client.callTool(call))).toBe('Booked.');
    });
    expect(shown).toEqual([
      ['Where to?', ['city', 'nights']],
      [expect.stringContaining('asks to use write_file with {"path":"trip.md"'), ['decision', 'reason']],
    ]);
    expect(await stage.lastRun()).toMatchObject({ status: 'completed', output: [{ text: 'Booked.' }] });
  });

  test('and an approval are answered by a tool otherwise, one by one', async () => {
    await withClient({}, async (client) => {
      const first = await client.callTool({ name: toolOf(stage.planner), arguments: { input: told(askingTogether) } });
      const { run_id, required_actions: actions } = first.structuredContent as {
        run_id: string;
        required_actions: { step_id: string }[];
      };
      expect(actions).toMatchObject([{ type: 'form' }, { type: 'tool_approval', name: 'write_file' }]);
      expect(textOf(first)).toContain(actions[1]!.step_id);
      const answer = (args: object) => client.callTool({ name: 'answer_run', arguments: { run_id, ...args } });
      expect(textOf(await answer({ data: { nights: 2 } }))).toContain('data.city');
      expect((await answer({ decision: 'approve' })).structuredContent).toMatchObject({ status: 'requires_action' });
      const end = await answer({ data: { city: 'Ulm' }, step_id: actions[0]!.step_id });
      expect(end.structuredContent).toMatchObject({ text: 'Booked.', files: [{ name: 'trip.md' }] });
    });
  });

  test('that the user declines stays open', async () => {
    await withClient({ answer: () => ({ action: 'decline' }) }, async (client) => {
      const result = await client.callTool({ name: toolOf(stage.poet), arguments: { input: told(asking) } });
      expect(result.structuredContent).toMatchObject({ status: 'requires_action', question: 'Which city?' });
    });
  });

  test('that the user answers with what cannot be stored is asked again', async () => {
    await withClient({ answer: () => ({ action: 'accept', content: { text: 'Ro\u0000me' } }) }, async (client) => {
      const result = await client.callTool({ name: toolOf(stage.poet), arguments: { input: told(asking) } });
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/^validation_error: .*NUL/)]);
    });
  });

  test.each([['legacy'], [{ pin: '2026-07-28' }]] as const)('is answered by a tool otherwise (%p)', async (mode) => {
    await withClient({ mode }, async (client) => {
      const first = await client.callTool({ name: toolOf(stage.poet), arguments: { input: told(asking) } });
      const { run_id } = first.structuredContent as { run_id: string };
      expect(first.structuredContent).toMatchObject({ status: 'requires_action', question: 'Which city?' });
      expect(textOf(first)).toContain('answer_run');
      await withClient({ key: stage.publisher.secret }, async (other) => {
        const stolen = await other.callTool({ name: 'answer_run', arguments: { run_id, text: 'Rome' } });
        expect([stolen.isError, textOf(stolen)]).toEqual([true, expect.stringMatching(/^run_not_found: /)]);
      });
      const two = await client.callTool({ name: 'answer_run', arguments: { run_id, text: 'Rome', answer: 'Paris' } });
      expect(two).toMatchObject({ isError: true });
      const end = await client.callTool({ name: 'answer_run', arguments: { run_id, answer: 'Rome' } });
      expect(end.structuredContent).toMatchObject({ text: 'Rome, then.', status: 'completed', run_id });
      const again = await client.callTool({ name: 'get_run', arguments: { run_id } });
      expect(again.structuredContent).toEqual(end.structuredContent);
      const late = await client.callTool({ name: 'answer_run', arguments: { run_id, text: 'Rome' } });
      expect(textOf(late)).toMatch(/^run_not_waiting: /);
    });
  });

  test('is not answered with a forged state', async () => {
    await withClient({}, async (client) => {
      const params = { name: toolOf(stage.poet), arguments: { input: 'x' }, requestState: 'abc' };
      const result = await client.request({ method: 'tools/call', params });
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('requestState')]);
    });
  });
});

test('calls over MCP keep the ledger sound', () => expectSoundLedger(stage.db));
