import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';
import { socketAt } from '../../support/webSocket.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

const look = { name: 'look', arguments: '{"at":"the sky above"}' };

async function begin() {
  const { secret } = await stage.account();
  const socket = await socketAt(stage.url, '/textapi/v1/realtime?model=gpt-realtime', { key: secret });
  const tools = [{ type: 'function', name: 'look', parameters: { type: 'object' } }];
  socket.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'], tools } });
  await socket.next('session.updated');
  const create = (item: object) => socket.send({ type: 'conversation.item.create', item });
  const say = (script: object) => {
    const content = [{ type: 'input_text', text: JSON.stringify({ scripted: script }) }];
    create({ type: 'message', role: 'user', content });
  };
  const respond = () => socket.send({ type: 'response.create' });
  /** The roles of the messages that the model was asked with last. */
  const asked = () => stage.upstream.lastMessages().map((message) => ('tool_calls' in message ? 'call' : message.role));
  return { ...socket, create, say, respond, asked };
}

test('a call that was stopped, or has no output yet, is not shown to the model, which would refuse it', async () => {
  const { say, respond, asked, ...socket } = await begin();
  say({ toolCalls: [look], delayMs: 100 });
  respond();
  await socket.next('response.function_call_arguments.delta');
  socket.send({ type: 'response.cancel' });
  await socket.next('response.done');
  say({ text: 'four' });
  respond();
  await socket.next('response.done');
  expect(asked()).toEqual(['user', 'user']);
  socket.ws.close();
});

test('the output of a call follows it, although the user spoke before it came', async () => {
  const { say, respond, asked, create, ...socket } = await begin();
  say({ toolCalls: [look, look] });
  respond();
  const first = await socket.next('response.function_call_arguments.done');
  const second = await socket.next('response.function_call_arguments.done');
  await socket.next('response.done');
  say({ text: 'four' });
  for (const { call_id } of [second, first]) create({ type: 'function_call_output', call_id, output: 'Blue.' });
  respond();
  await socket.next('response.done');
  expect(asked()).toEqual(['user', 'call', 'tool', 'tool', 'user']);
  socket.ws.close();
});

test.each([
  ['an absent tool', { tool_choice: { type: 'function', name: 'listen' } }, 'response.tool_choice'],
  ['a call without tools', { tools: [], tool_choice: 'required' }, 'response.tool_choice'],
  ['a name that no model takes', { tools: [{ type: 'function', name: 'look up' }] }, 'response.tools[0].name'],
])('a response with %s is refused by the name of the parameter before it begins', async (_, response, param) => {
  const socket = await begin();
  socket.send({ type: 'response.create', event_id: 'mine', response });
  const { error } = await socket.next('error');
  expect(error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_value', param, event_id: 'mine' });
  expect(socket.events.map(({ type }) => type)).not.toContain('response.created');
  socket.ws.close();
});

test('a tool choice of the session is refused under its name, and a tool by its name when it is set', async () => {
  const socket = await begin();
  const update = (session: object) =>
    socket.send({ type: 'session.update', session: { type: 'realtime', ...session } });
  update({ tool_choice: { type: 'function', name: 'listen' } });
  await socket.next('session.updated');
  socket.respond();
  expect((await socket.next('error')).error).toMatchObject({ param: 'session.tool_choice' });
  update({ tools: [{ type: 'function', name: 'look up' }] });
  expect((await socket.next('error')).error).toMatchObject({ param: 'session.tools[0].name' });
  socket.ws.close();
});

test('an output without its call is refused, and left out where the call was deleted', async () => {
  const { say, respond, asked, create, ...socket } = await begin();
  const output = { type: 'function_call_output', call_id: 'call_gone', output: 'Blue.' };
  create(output);
  expect((await socket.next('error')).error).toMatchObject({ code: 'invalid_value', param: 'item.call_id' });
  socket.send({ type: 'response.create', response: { input: [output] } });
  expect((await socket.next('error')).error).toMatchObject({ param: 'response.input[0].call_id' });
  create({ type: 'function_call', id: 'asked', call_id: 'call_gone', ...look });
  create(output);
  socket.send({ type: 'conversation.item.delete', item_id: 'asked' });
  await socket.next('conversation.item.deleted');
  say({ text: 'four' });
  respond();
  await socket.next('response.done');
  expect(asked()).toEqual(['user']);
  socket.ws.close();
});

test.each([
  [{ type: 'mcp_approval_response' }, 'item.type', 'invalid_value'],
  [{}, 'item.type', 'missing_required_parameter'],
])('an item of no known type is refused by its type: %j', async (item, param, code) => {
  const { create, ...socket } = await begin();
  create(item);
  expect((await socket.next('error')).error).toMatchObject({ param, code });
  socket.ws.close();
});
