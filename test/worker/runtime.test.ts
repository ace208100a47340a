import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readableMeta } from '../../worker/runtime.ts';

test('a logged error has its whole chain of causes', () => {
  const root = new Error('the connection was refused');
  const error = new Error('a step failed', { cause: new Error('the upstream did not answer', { cause: root }) });
  const lines: string[] = [];
  pino({}, { write: (line) => void lines.push(line) }).warn(readableMeta({ error, attempt: 2 }), 'a step failed');
  const line = JSON.parse(lines[0]!) as Record<string, unknown>;
  expect(line).toMatchObject({
    attempt: 2,
    error: {
      message: 'a step failed',
      stack: expect.stringContaining('runtime.test'),
      cause: { message: 'the upstream did not answer', cause: { message: 'the connection was refused' } },
    },
  });
});
