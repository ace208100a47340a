import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import type { Script } from '../../rules/scripted/script.ts';
import { setPublisherStage } from '../api/publisher/publisherStage.ts';
import { publishAgent } from '../support/agent.ts';
import { sharedSandbox } from '../support/sandbox.ts';
import { collect } from '../support/streams.ts';

const stage = await setPublisherStage({ sandbox: await sharedSandbox() });
const owner = { workspaceId: stage.publisher.workspaceId };
await stage.db.pool.query(
  `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test') on conflict do nothing`,
  [owner.workspaceId],
);
const poet = await publishAgent(stage.db, {}, owner);
const asks = { tools: ['ask_user', 'write_file'], requires_approval: ['write_file'] };
/** It writes only what its caller has approved. */
const writer = await publishAgent(stage.db, asks, owner);
const client = new OpenAI({ baseURL: `${stage.url}/textapi/v1`, apiKey: stage.stranger.secret, maxRetries: 0 });
afterAll(async () => {
  await stage.close();
});

const asking = (script: Script) => JSON.stringify({ scripted: script });
const lastRun = async () => (await stage.db.pool.query('select * from runs order by created_at desc limit 1')).rows[0];

describe('a tool’s call that needs approval', () => {
  const write = { name: 'write_file', arguments: JSON.stringify({ path: 'poem.md', content: 'Rain.' }) };
  const script = (...calls: object[]) =>
    asking({ turns: [{ text: 'I write.', toolCalls: [write, ...(calls as [])] }, { text: 'Done.' }] });
  type Item = OpenAI.Responses.ResponseOutputItem;
  const requestIn = (output: Item[]) =>
    output.find((item): item is Item & { type: 'mcp_approval_request' } => item.type === 'mcp_approval_request')!;

  test('waits as an item of the response, and is made when the next input approves it', async () => {
    const input = script();
    const first = await client.responses.create({ model: writer, input });
    const request = requestIn(first.output);
    expect(first.output_text).toBe('I write.');
    expect(request).toMatchObject({ name: 'write_file', arguments: write.arguments, server_label: writer });
    expect(await lastRun()).toMatchObject({ status: 'requires_action' });
    const approval = { type: 'mcp_approval_response' as const, approval_request_id: request.id, approve: true };
    const conversation = [{ role: 'user' as const, content: input }, ...(first.output as []), approval];
    const second = await client.responses.create({ model: writer, input: conversation });
    expect(second.output_text).toMatch(/^\[File: poem\.md[^]*Done\.$/);
    const run = await lastRun();
    expect(run).toMatchObject({ status: 'completed' });
    const nanos = (answer: object) => BigInt(Math.round((answer as { usage: { cost: number } }).usage.cost * 1e9));
    expect(nanos(first) + nanos(second)).toBe(BigInt(run.total_nanos));
  });

  test('is refused with a reason in a stream, and a text beside it answers the question', async () => {
    const input = script({ name: 'ask_user', arguments: '{"question": "Which city?"}' });
    const events = await collect(await client.responses.create({ model: writer, input, stream: true }));
    const end = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
    const request = requestIn(end.response.output);
    expect(events.filter(({ type }) => type === 'response.output_item.done')).toHaveLength(2);
    const refusal = { type: 'mcp_approval_response' as const, approval_request_id: request.id, approve: false };
    const said = [
      { ...refusal, reason: 'Not now.' },
      { role: 'user' as const, content: 'Rome.' },
    ];
    const second = await client.responses.create({ model: writer, input: said });
    expect(second.output_text).toBe('Done.');
    const { id } = await lastRun();
    const steps = 'select result from run_steps where run_id = $1 and step in (2, 3) order by step';
    expect((await stage.db.pool.query(steps, [id])).rows).toMatchObject([
      { result: { text: 'The user refused this call: Not now.' } },
      { result: { text: 'Rome.' } },
    ]);
  });

  test('is a text of a chat, which ends the run', async () => {
    const answer = await client.chat.completions.create({
      model: writer,
      messages: [{ role: 'user', content: script() }],
    });
    expect(answer.choices[0]!.message.content).toContain('asks to use write_file with {"path":"poem.md"');
    expect(await lastRun()).toMatchObject({ status: 'cancelled' });
  });

  test('is not approved by a forged id, another workspace, or for a model', async () => {
    const first = await client.responses.create({ model: writer, input: script() });
    const approval = { type: 'mcp_approval_response' as const, approve: true };
    const known = { ...approval, approval_request_id: requestIn(first.output).id };
    const other = new OpenAI({ baseURL: `${stage.url}/textapi/v1`, apiKey: stage.publisher.secret, maxRetries: 0 });
    const place = expect.objectContaining({ status: 400, param: 'input[0].approval_request_id' });
    const forged = { ...approval, approval_request_id: 'mcpr_x' };
    await expect(client.responses.create({ model: writer, input: [forged] })).rejects.toEqual(place);
    await expect(client.responses.create({ model: poet, input: [known] })).rejects.toEqual(place);
    await expect(other.responses.create({ model: writer, input: [known] })).rejects.toEqual(place);
    const plain = client.responses.create({ model: 'ledgerline-text-1', input: [known] });
    await expect(plain).rejects.toEqual(expect.objectContaining({ status: 400, param: 'input[0]' }));
    await client.responses.create({ model: writer, input: [{ ...known, approve: false }] });
  });
});
