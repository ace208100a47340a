import { afterAll, afterEach, expect, test } from '@jest/globals';
import { Ledgerline } from '../../../clients/typescript/src/index.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { setPublisherStage } from '../../api/publisher/publisherStage.ts';
import { publishAgent } from '../../support/agent.ts';
import { told } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { expectSoundLedger } from '../../support/ledger.ts';

// One answer, which the model's limit cuts in the middle of a word.
const PIECES = ['{"a": "con', 'tinu', 'ation works."}'] as const;
const ANSWER = { a: 'continuation works.' };
const SCRIPT: Script = {
  turns: PIECES.map((text, at) => ({ text, chunks: 2, ...(at < 2 && { finishReason: 'length' }) })),
};
const asked = told(SCRIPT)[0]!.content;

interface RunEvent {
  type: string;
  data: Record<string, unknown>;
}

const stage = await setPublisherStage();
const owner = { workspaceId: stage.publisher.workspaceId };
await stage.db.pool.query(
  `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test') on conflict do nothing`,
  [owner.workspaceId],
);
const writer = await publishAgent(stage.db, { accepts_response_format: true }, owner);
const asker = await publishAgent(stage.db, { tools: ['ask_user'] }, owner);
const caller = await publishAgent(stage.db, { agents: [writer] }, owner);
afterEach(() => stage.upstream.reset());
afterAll(() => stage.close());

const post = async <T>(path: string, body: object, headers: object = {}): Promise<T> =>
  read<T>(await stage.call(path, { key: stage.stranger.secret, body, headers: { ...headers } }), 200);
const postText = async (path: string, body: object): Promise<string> =>
  (await stage.call(path, { key: stage.stranger.secret, body })).text();

const run = (body: object) =>
  post<RunObject>('/v1/runs', { agent: writer, input: asked, ...body }, { prefer: 'wait=30' });

/** The data of server-sent events. */
const framesIn = <T>(text: string): T[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as T);

const parsed = (text: string | undefined) => JSON.parse(text!) as unknown;

test('run.output and the events of a run: one item, whose offset runs on', async () => {
  const { id, output } = await run({});
  expect(output).toEqual([{ type: 'output_text', text: PIECES.join('') }]);
  const events = framesIn<RunEvent>(
    await (await stage.call(`/v1/runs/${id}/events`, { key: stage.stranger.secret })).text(),
  );
  // In the form of webhooks.
  expect((events.at(-1)!.data as unknown as RunObject).output).toEqual(output);
  const written = events.filter(({ type }) => type.startsWith('run.output_text'));
  expect(new Set(written.map(({ data }) => data.item_id)).size).toBe(1);
  expect(written.filter(({ type }) => type.endsWith('.done')).map(({ data }) => data.text)).toEqual([PIECES.join('')]);
  const put = (text: string, { data }: RunEvent) => text.slice(0, Number(data.offset)) + String(data.delta);
  expect(parsed(written.slice(0, -1).reduce(put, ''))).toEqual(ANSWER);
});

test('a chat, whole and streamed', async () => {
  const body = { model: writer, messages: [{ role: 'user', content: asked }] };
  interface Choices {
    choices: { message: { content: string }; delta?: { content?: string } }[];
  }
  const whole = await post<Choices>('/textapi/v1/chat/completions', body);
  expect(parsed(whole.choices[0]!.message.content)).toEqual(ANSWER);
  const chunks = framesIn<Choices>(await postText('/textapi/v1/chat/completions', { ...body, stream: true }));
  expect(parsed(chunks.map(({ choices }) => choices[0]?.delta?.content ?? '').join(''))).toEqual(ANSWER);
});

test('a chat that ends with a question is the same, whole and streamed', async () => {
  const question = { name: 'ask_user', arguments: '{"question": "Which city?"}' };
  const script: Script = { text: 'I look.', toolCalls: [question] };
  const body = { model: asker, messages: told(script) };
  const whole = await post<{ choices: { message: { content: string } }[] }>('/textapi/v1/chat/completions', body);
  expect(whole.choices[0]!.message.content).toBe('I look.\n\nWhich city?');
  const text = await postText('/textapi/v1/chat/completions', { ...body, stream: true });
  const chunks = framesIn<{ choices: { delta: { content?: string } }[] }>(text);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('I look.\n\nWhich city?');
});

test('responses, whole and streamed', async () => {
  const body = { model: writer, input: asked };
  const whole = await post<{ output: { content: { text: string }[] }[] }>('/textapi/v1/responses', body);
  expect(whole.output.map(({ content }) => parsed(content[0]!.text))).toEqual([ANSWER]);
  const text = await postText('/textapi/v1/responses', { ...body, stream: true });
  const deltas = framesIn<{ type: string; delta: string }>(text).filter(
    ({ type }) => type === 'response.output_text.delta',
  );
  expect(parsed(deltas.map(({ delta }) => delta).join(''))).toEqual(ANSWER);
});

test('MCP', async () => {
  const params = { name: writer.replace('/', '__'), arguments: { input: asked } };
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const order = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await stage.call('/v1/mcp', { key: stage.stranger.secret, body: order, headers });
  interface Result {
    result?: { content: { text: string }[]; structuredContent: { text: string } };
  }
  const text = await answer.text();
  const { result } = (text.startsWith('{') ? [JSON.parse(text) as Result] : framesIn<Result>(text)).findLast(
    (one) => one.result,
  )!;
  expect(result!.content.map((one) => parsed(one.text))).toEqual([ANSWER]);
  expect(parsed(result!.structuredContent.text)).toEqual(ANSWER);
});

test('A2A, whole and streamed', async () => {
  const message = { role: 'ROLE_USER', parts: [{ text: asked }] };
  const headers = { 'a2a-version': '1.0' };
  const sent = (messageId: string) => ({ message: { ...message, messageId } });
  interface Artifact {
    artifactId: string;
    parts: { text: string }[];
  }
  const whole = await post<{ task: { artifacts: Artifact[] } }>(`/a2a/${writer}/message:send`, sent('m-1'), headers);
  expect(whole.task.artifacts.map(({ parts }) => parsed(parts[0]!.text))).toEqual([ANSWER]);
  const body = sent('m-2');
  const streamed = await stage.call(`/a2a/${writer}/message:stream`, { key: stage.stranger.secret, body, headers });
  const texts = new Map<string, string>();
  interface Item {
    artifactUpdate?: { artifact: Artifact; append: boolean };
  }
  for (const { artifactUpdate: update } of framesIn<Item>(await streamed.text())) {
    if (!update) continue;
    const { artifactId, parts } = update.artifact;
    texts.set(artifactId, (update.append ? texts.get(artifactId)! : '') + parts[0]!.text);
  }
  expect([...texts.values()].map(parsed)).toEqual([ANSWER]);
});

test('the result of a called agent, and the answer in the next run of its session', async () => {
  const calling = { name: 'call_agent', arguments: JSON.stringify({ agent: writer, input: asked }) };
  const script = { turns: [{ toolCalls: [calling] }, { text: 'Read.' }] };
  await run({ agent: caller, input: told(script)[0]!.content });
  expect(parsed(stage.upstream.lastMessages().findLast(({ role }) => role === 'tool')!.content)).toEqual(ANSWER);
  const { session_id } = await run({});
  await run({ session_id, input: 'And now?' });
  expect(parsed(stage.upstream.lastMessages().find(({ role }) => role === 'assistant')!.content)).toEqual(ANSWER);
});

test('an answer in the form that its caller ordered, and a rerun of its rest', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
  const typed = await run({ response_format });
  expect(typed.output.at(-1)).toEqual({ type: 'output_data', data: ANSWER });
  const { id } = await run({});
  const order = await stage.call(`/v1/runs/${id}/rerun`, { key: stage.stranger.secret, body: { from_step: 2 } });
  const again = await read<RunObject>(order, 202);
  const events = new Ledgerline({ baseUrl: stage.url, apiKey: stage.stranger.secret }).runs.stream(again.id);
  await events.finalRun();
  expect(parsed(events.text)).toEqual(ANSWER);
  await expectSoundLedger(stage.db);
});
