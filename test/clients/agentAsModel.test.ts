import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import type { Script } from '../../rules/scripted/script.ts';
import { setPublisherStage } from '../api/publisher/publisherStage.ts';
import { publishAgent } from '../support/agent.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { installVenv, runPython } from './pythonVenv.ts';
import { describeWithPython } from './withPython.ts';
import { sharedSandbox } from '../support/sandbox.ts';
import { collect } from '../support/streams.ts';
import { embeddingModel, textModel } from '../support/startApi.ts';
import { until } from '../support/until.ts';

const Total = z.object({ total: z.number() });
const { $schema: _draft, ...output_schema } = z.toJSONSchema(Total);

const stage = await setPublisherStage({ sandbox: await sharedSandbox() });
const owner = { workspaceId: stage.publisher.workspaceId };
await stage.db.pool.query(
  `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test') on conflict do nothing`,
  [owner.workspaceId],
);
const poet = await publishAgent(stage.db, { accepts_response_format: true }, owner);
const counter = await publishAgent(stage.db, { output_schema, tools: ['ask_user'] }, owner);
const reader = await publishAgent(stage.db, { tools: ['read_file', 'write_file'] }, owner);
const client = new OpenAI({ baseURL: `${stage.url}/textapi/v1`, apiKey: stage.stranger.secret, maxRetries: 0 });
afterAll(async () => {
  await stage.close();
});

const asking = (script: Script) => JSON.stringify({ scripted: script });
const says = (script: Script) => [{ role: 'user' as const, content: asking(script) }];
const totals = (total: unknown): Script => ({
  toolCalls: [{ name: 'return_data', arguments: JSON.stringify({ total }) }],
});
const lastRun = async () => {
  const { rows } = await stage.db.pool.query('select * from runs order by created_at desc limit 1');
  return rows[0];
};

describe('agents among the models', () => {
  test('are listed after them, owned by their publisher, and read by name', async () => {
    const models = await collect(client.models.list());
    const agents = models.filter(({ id }) => id.includes('/'));
    expect(agents.map(({ id }) => id)).toEqual(expect.arrayContaining([poet, counter, reader]));
    expect(models.slice(-agents.length)).toEqual(agents);
    const listed = agents.find(({ id }) => id === poet)!;
    expect(listed).toMatchObject({
      object: 'model',
      owned_by: 'test',
      kind: 'agent',
      supported_parameters: ['stream', 'response_format'],
    });
    expect(await client.models.retrieve(poet)).toEqual(listed);
    const plain = await fetch(`${stage.url}/v1/models/${poet}`, {
      headers: { authorization: `Bearer ${client.apiKey}` },
    });
    expect(await plain.json()).toEqual(listed);
  });

  test('are not there for a key without the scope to run them', async () => {
    const { secret } = await stage.account({ scopes: ['voice'] });
    const speaker = new OpenAI({ baseURL: `${stage.url}/v1`, apiKey: secret, maxRetries: 0 });
    expect((await collect(speaker.models.list())).filter(({ id }) => id.includes('/'))).toEqual([]);
    await expect(speaker.models.retrieve(poet)).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });
});

describe('an agent as the model of a chat', () => {
  test('answers whole, and its bill is the run’s', async () => {
    const answer = await client.chat.completions.create({ model: poet, messages: says({ text: 'Rain falls.' }) });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      model: poet,
      choices: [{ message: { role: 'assistant', content: 'Rain falls.' }, finish_reason: 'stop' }],
    });
    const run = await lastRun();
    expect(run).toMatchObject({ status: 'completed', agent: poet });
    expect((answer.usage as unknown as { cost: number }).cost).toBe(Number(run.total_nanos) / 1e9);
  });

  test('streams its text, with usage at the end', async () => {
    const text = 'word '.repeat(300).trim();
    const chunks = await collect(
      await client.chat.completions.create({
        model: poet,
        messages: says({ text, delayMs: 2 }),
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    const pieces = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? '')).filter(Boolean);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(text);
    expect(chunks.at(-1)!.usage!.completion_tokens).toBeGreaterThan(100);
  });

  test('returns the object that its caller orders, as the client parses it', async () => {
    const answer = await client.chat.completions.parse({
      model: poet,
      messages: says(totals(4)),
      response_format: zodResponseFormat(Total, 'total'),
    });
    expect(answer.choices[0]!.message.parsed).toEqual({ total: 4 });
  });

  test('ends with the question that it asks, and leaves no run open', async () => {
    const question = { toolCalls: [{ name: 'ask_user', arguments: '{"question": "Which city?"}' }] };
    const answer = await client.chat.completions.create({ model: counter, messages: says(question) });
    expect(answer.choices[0]).toMatchObject({ message: { content: 'Which city?' }, finish_reason: 'stop' });
    expect(await lastRun()).toMatchObject({ status: 'cancelled' });
  });

  test('stops at the cost that its caller allows', async () => {
    const metadata = { max_cost_usd: '0.0101' };
    const messages = says({ text: 'word '.repeat(4000) });
    const answer = await client.chat.completions.create({ model: poet, messages, metadata });
    expect(answer.choices[0]!.finish_reason).toBe('length');
    expect(Number((await lastRun()).total_nanos)).toBeLessThanOrEqual(10_100_000);
  });

  test('is cancelled when a client leaves its stream', async () => {
    const leave = new AbortController();
    const messages = says({ text: 'word '.repeat(2000), delayMs: 20 });
    const stream = await client.chat.completions.create(
      { model: poet, messages, stream: true },
      { signal: leave.signal },
    );
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    leave.abort();
    await until(async () => (await lastRun()).status === 'cancelled');
    expect(Number((await lastRun()).total_nanos)).toBeGreaterThan(0);
  });

  test.each([
    ['a setting of its publisher', { temperature: 0.5 }, 400, 'unsupported_parameter', 'temperature'],
    ['tools', { tools: [{ type: 'function', function: { name: 'a' } }] }, 400, 'unsupported_parameter', 'tools'],
    ['too high a cost', { metadata: { max_cost_usd: '9' } }, 400, 'validation_error', 'metadata.max_cost_usd'],
    ['an unknown name', { model: 'test/none' }, 404, 'model_not_found', 'model'],
  ])('refuses %s in the vendor’s dialect', async (_what, members, status, code, param) => {
    const messages = [{ role: 'user' as const, content: 'x' }];
    const asked = client.chat.completions.create({ model: poet, messages, ...(members as object) });
    await expect(asked).rejects.toMatchObject({ status, code, param });
  });

  describe('takes files of the message', () => {
    const notes = Buffer.from('Rain falls.\n');
    const dataUrl = `data:text/plain;base64,${notes.toString('base64')}`;
    const reading: Script = {
      turns: [
        { toolCalls: [{ name: 'read_file', arguments: '{"path":"notes.txt"}' }] },
        { toolCalls: [{ name: 'write_file', arguments: '{"path":"poem.md","content":"Rain."}' }] },
        { text: 'Done.' },
      ],
    };
    const question = 'Read the notes.';
    beforeAll(() => {
      stage.upstream.script(reading);
    });
    afterAll(() => stage.upstream.reset());
    const ask = (file: object, model = reader) => {
      const content = [{ type: 'text' as const, text: question }, file as { type: 'text'; text: string }];
      return client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
    };

    test('of a chat, and names those that it has made', async () => {
      const answer = await ask({ type: 'file', file: { filename: 'notes.txt', file_data: dataUrl } });
      expect(answer.choices[0]!.message.content).toMatch(/^\[File: poem\.md, GET [^]*\n\nDone\.$/);
      const { run } = answer as unknown as { run: { id: string; files: { file_id: string; filename: string }[] } };
      const row = await lastRun();
      expect(run).toMatchObject({ id: row.id, session_id: row.session_id, files: [{ filename: 'poem.md' }] });
      const poem = await client.files.content(run.files[0]!.file_id);
      expect(await poem.text()).toBe('Rain.');
      const { rows } = await stage.db.pool.query('select result from run_steps where run_id = $1 and step = 2', [
        run.id,
      ]);
      expect(rows[0].result.text).toContain('Rain falls.');
    });

    test('of a response', async () => {
      const content = [
        { type: 'input_text' as const, text: question },
        { type: 'input_file' as const, filename: 'notes.txt', file_data: dataUrl },
      ];
      const response = await client.responses.create({ model: reader, input: [{ role: 'user', content }] });
      expect(response.output_text).toMatch(/Done\.$/);
      expect(response).toMatchObject({ run: { files: [{ filename: 'poem.md' }] } });
    });

    test.each([
      ['an address', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, 'image_url.url'],
      [
        'a text that is no base64',
        { type: 'file', file: { file_data: 'data:text/plain;base64,%%%' } },
        'file.file_data',
      ],
      ['sound', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, undefined],
    ])('but not %s', async (_what, file, member) => {
      const param = ['messages[0].content[1]', ...(member ? [member] : [])].join('.');
      await expect(ask(file)).rejects.toMatchObject({ status: 400, param });
    });

    test('but only where the agent takes files', async () => {
      const file = { type: 'file', file: { filename: 'notes.txt', file_data: dataUrl } };
      await expect(ask(file, poet)).rejects.toMatchObject({
        status: 400,
        code: 'unsupported_input',
        param: 'messages',
      });
      const { rows } = await stage.db.pool.query(
        `select count(*)::int as left from files where deleted_at is null and filename = 'notes.txt'`,
      );
      expect(rows).toEqual([{ left: 2 }]);
    });
  });

  test('that fails is an error without a bill', async () => {
    const asked = client.chat.completions.create({ model: counter, messages: says(totals('four')) });
    await expect(asked).rejects.toMatchObject({ status: 502, code: 'output_invalid' });
    expect(await lastRun()).toMatchObject({ status: 'failed', total_nanos: '0' });
  });
});

describe('an agent as the model of a response', () => {
  test('answers whole and streamed', async () => {
    const whole = await client.responses.create({ model: counter, input: asking(totals(2)) });
    expect(whole).toMatchObject({ status: 'completed', model: counter, output_text: '{"total":2}' });
    const events = await collect(
      await client.responses.create({ model: poet, input: asking({ text: 'Snow falls.' }), stream: true }),
    );
    const deltas = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []));
    expect(deltas.join('')).toBe('Snow falls.');
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  });

  test('refuses what an agent cannot honour', async () => {
    const asked = client.responses.create({ model: poet, input: 'x', reasoning: { effort: 'low' } });
    await expect(asked).rejects.toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'reasoning' });
  });
});

describeWithPython('the official Python client', () => {
  let python: string;
  beforeAll(async () => {
    python = await installVenv('venv', 'requirements.txt');
  }, 1_200_000);

  test('asks an agent as it asks a model', async () => {
    const { status, output } = await runPython(python, ['ask_agent.py'], {
      BASE_URL: `${stage.url}/textapi/v1`,
      API_KEYS: JSON.stringify({ funded: stage.stranger.secret }),
      TEXT_MODEL: textModel,
      EMBEDDING_MODEL: embeddingModel,
      AGENT: poet,
    });
    if (status !== 0) throw new Error(output);
    expect(output).toContain('The agent answered three times.');
  });
});

test('agents as models keep the ledger sound', () => expectSoundLedger(stage.db));
