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
  const asked = () => {
    const { body } = stage.upstream.calls().at(-1) as unknown as { body: { messages: object[] } };
    return body.messages.map((message) => ('tool_calls' in message ? 'call' : (message as { role: string }).role));
  };
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
