import { afterAll, describe, expect, test } from '@jest/globals';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const said = (role: string, content: unknown) => ({ type: 'message', role, content });
const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'look', arguments: '' });
const result = (call_id: string) => ({ type: 'function_call_output', call_id, output: '' });
const text = { type: 'input_text', text: 'a' };
const file = (file_id: string) => ({ type: 'input_file', file_id });

describe('POST /v1/runs with a conversation', () => {
  test('keeps it as it was sent', async () => {
    const input = [
      said('developer', 'Be brief.'),
      said('user', [text]),
      call('1'),
      call('2'),
      result('2'),
      result('1'),
      { ...said('user', 'And?'), name: 'ada' },
    ];
    const { secret: key } = await stage.account();
    const { id } = await read<RunObject>(await stage.post({ input }, { key }), 202);
    expect((await stage.getRun(id, key)).input).toEqual(input);
  });

  test('puts the files of its messages into the session, and refuses those of others by their place', async () => {
    const agent = await stage.publish({ tools: ['read_file'] });
    const form = new FormData();
    form.append('purpose', 'agent_input');
    form.append('file', new Blob(['a,b\n'], { type: 'text/csv' }), 'table.csv');
    const { secret: key } = await stage.account();
    const headers = { authorization: `Bearer ${key}` };
    const uploaded = await fetch(`${stage.api.url}/v1/files`, { method: 'POST', headers, body: form });
    const { id } = await read<{ id: string }>(uploaded, 200);
    const input = [said('user', [text, file(id)]), said('assistant', 'Yes.'), said('user', 'And?')];
    expect(await errorOf(await stage.post({ agent, input }, { key: stage.other.secret }))).toMatchObject({
      status: 404,
      code: 'file_not_found',
      param: 'input.0.content.1.file_id',
    });
    const plain = await stage.publish({ tools: [] });
    expect(await errorOf(await stage.post({ agent: plain, input }, { key }))).toMatchObject({
      code: 'unsupported_input',
      param: 'input.0.content.1',
    });
    const { session_id: sessionId } = await read<RunObject>(await stage.post({ agent, input }, { key }), 202);
    const listed = await stage.call(`/v1/sessions/${sessionId}/files`, { key });
    const files = await read<{ data: { path: string }[] }>(listed, 200);
    expect(files.data.map(({ path }) => path)).toEqual(['table.csv']);
  });

  test('is refused by an agent that takes data', async () => {
    const agent = await stage.publish({ input_schema: { type: 'object', properties: {} } });
    const input = [said('user', 'a'), said('assistant', 'b'), said('user', '{}')];
    expect(await errorOf(await stage.post({ agent, input }))).toMatchObject({
      code: 'unsupported_input',
      param: 'input',
    });
  });

  test.each([
    [[said('user', '')], 'input.0.content'],
    [[said('tool', 'a')], 'input.0.role'],
    [[{ ...said('user', 'a'), id: 'msg_1' }], 'input.0.id'],
    [[said('user', 'a'), said('assistant', 'b')], 'input.1'],
    [[said('user', 'a'), text], 'input.1.type'],
    [[said('system', [file('file_1')]), said('user', 'a')], 'input.0.content'],
    [[said('user', 'a'), call('1'), said('user', 'b')], 'input.2'],
    [[call('1'), call('1'), said('user', 'b')], 'input.1.call_id'],
    [[call('1'), call('2'), result('1'), call('3'), said('user', 'b')], 'input.3'],
    [[said('user', 'a'), result('1'), said('user', 'b')], 'input.1.call_id'],
    [[said('user', 'a'.repeat(200_000)), said('user', 'b'.repeat(100_000))], 'input'],
    [Array.from({ length: 65 }, () => text), 'input'],
  ])('%# is refused at its place', async (input, param) => {
    expect(await errorOf(await stage.post({ input }))).toEqual({ status: 422, code: 'validation_error', param });
  });
});
