import { expect, test } from '@jest/globals';
import { createRunReader, usageOfRun } from '../../../../api/agentCalls/chat/runChunks.ts';

const started = (step: number, attempt = 1) => ({ type: 'run.step.started', data: { kind: 'model', step, attempt } });
const delta = (item_id: string, text: string, offset = 0) => ({
  type: 'run.output_text.delta',
  data: { item_id, delta: text, offset },
});
const file = { type: 'run.output_file.created', data: { filename: 'a.txt', file_id: 'file_1' } };

function textOf(events: object[]): string {
  const read = createRunReader({ isTyped: false });
  return events.map((event, at) => read({ json: JSON.stringify(event), sequence: at + 1 } as never)).join('');
}

test.each([
  [
    'a step that goes on with a text',
    [started(1), delta('a', 'con'), started(2), delta('a', 'tinues', 3)],
    'continues',
  ],
  ['a step that begins a text', [started(1), delta('a', 'One.'), started(2), delta('b', 'Two.')], 'One.\n\nTwo.'],
  [
    'a file between texts',
    [started(1), delta('a', 'One.'), file, started(2), delta('b', 'Two.')],
    'One.\n\n[File: a.txt, GET /v1/files/file_1/content]\n\nTwo.',
  ],
  [
    'a later attempt, under another name',
    [started(1), delta('a', 'One'), started(1, 2), delta('ar2', 'On'), delta('ar2', 'e, two', 2)],
    'One, two',
  ],
  [
    'a later attempt of a step that goes on',
    [started(1), delta('a', 'con'), started(2), delta('a', 'ti', 3), started(2, 2), delta('a', 'tinues', 3)],
    'continues',
  ],
  [
    'a later attempt of a step that had written nothing',
    [started(1), delta('a', 'One.'), started(2), started(2, 2), delta('br2', 'Two.')],
    'One.\n\nTwo.',
  ],
])('%s is read as it is written', (_what, events, text) => {
  expect(textOf(events)).toBe(text);
});

test('a later attempt that writes something else ends the answer', () => {
  const events = [
    started(1),
    delta('a', 'con'),
    started(2),
    delta('a', 'tinues', 3),
    started(2, 2),
    delta('a', 'fuses', 3),
  ];
  expect(() => textOf(events)).toThrow('The model failed and wrote another answer.');
});

test('the cost of a chat is that of its run and of the runs that it started', () => {
  const usage = { meters: [], total_usd: 0.1, children_usd: 0.2 };
  expect(usageOfRun({ usage } as never)).toMatchObject({ chargedNanos: 300_000_000n });
});
