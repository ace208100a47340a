import { afterAll, expect, test } from '@jest/globals';
import { setSandboxedRunStage } from '../support/runStage.ts';

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

test('a run that writes files keeps the beginning of its messages', async () => {
  const args = (path: string) => JSON.stringify({ path, content: 'x' });
  const turns = [
    ...['a.txt', 'b.txt'].map((path) => ({ toolCalls: [{ name: 'write_file', arguments: args(path) }] })),
    { text: 'Done.' },
  ];
  const run = await stage.runToEnd({ tools: ['write_file'], script: { turns } });
  expect(run.status).toBe('completed');
  const [first, second, third] = stage.upstream.calls().map(({ body }) => (body as { messages: object[] }).messages);
  expect(second!.slice(0, first!.length)).toEqual(first);
  expect(third!.slice(0, second!.length)).toEqual(second);
});
