import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createAnswerWriter } from '../../../activities/run/answerWriter.ts';
import type { NewEvent } from '../../../db/events/appendEvents.ts';
import type { BegunStep } from '../../../db/runs/stepFacts.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function beginWriting() {
  const events: NewEvent[] = [];
  const write = (event: NewEvent) => Promise.resolve(void events.push(event));
  const begun = { id: 'step_1', attempt: 1 } as BegunStep;
  const writer = createAnswerWriter({ begun, produced: { outputTokens: 7 }, write, onError: () => {} });
  return {
    writer,
    events,
    progress: () => events.filter(({ type }) => type === 'run.progress').map(({ data }) => data),
  };
}

test('silence is reported after 5 s, then 10, 20 and 40 s after the last report, then each minute', () => {
  const { writer, progress } = beginWriting();
  jest.advanceTimersByTime(3_000);
  writer.add({ text: 'One.', reasoning: '' });
  jest.advanceTimersByTime(4_990);
  expect(progress()).toEqual([]);
  jest.advanceTimersByTime(10);
  expect(progress()).toEqual([{ step_id: 'step_1', attempt: 1, elapsed_ms: 8_000, output_tokens: 7 }]);
  jest.advanceTimersByTime(240_000);
  writer.stopProgress();
  const times = [8_000, 18_000, 38_000, 78_000, 138_000, 198_000];
  expect(progress()).toEqual(times.map((elapsed_ms) => expect.objectContaining({ elapsed_ms })));
});

test('a timer that fires before its time delays no report', () => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { writer, progress } = beginWriting();
  now.mockReturnValue(4_999.4);
  jest.advanceTimersByTime(5_000);
  now.mockReturnValue(5_000.5);
  jest.advanceTimersByTime(1);
  now.mockRestore();
  writer.stopProgress();
  expect(progress()).toHaveLength(1);
});

test('reasoning that is stored up to the middle of a character can be stored', async () => {
  const { writer, events } = beginWriting();
  writer.add({ text: '', reasoning: `x${'😀'.repeat(40_000)}` });
  writer.stopProgress();
  await writer.rest();
  const { delta } = events[0]!.data as { delta: string };
  expect([delta.length, delta.isWellFormed()]).toEqual([65_536, true]);
});

test.each([1, 2])(
  'attempt %d of a step that goes on with a text writes on at its end, under its name',
  async (attempt) => {
    const cut = { itemId: 'item_1', text: '{"a": "con' };
    const begun = { id: 'step_2', attempt } as BegunStep;
    const write = () => Promise.resolve();
    const writer = createAnswerWriter({ begun, cut, produced: { outputTokens: 7 }, write, onError: () => {} });
    writer.add({ text: 'tinues', reasoning: '' });
    writer.stopProgress();
    const data = { item_id: 'item_1', delta: 'tinues', offset: 10 };
    expect(await writer.rest()).toEqual([{ type: 'run.output_text.delta', data }]);
  },
);

test('the rest waits for every piece, also for one that is begun while it waits', async () => {
  jest.useRealTimers();
  const writes: PromiseWithResolvers<void>[] = [];
  const write = () => {
    const written = Promise.withResolvers<void>();
    writes.push(written);
    return written.promise;
  };
  const begun = { id: 'step_1', attempt: 1 } as BegunStep;
  const writer = createAnswerWriter({ begun, produced: { outputTokens: 7 }, write, onError: () => {} });
  writer.stopProgress();
  writer.add({ text: 'a'.repeat(600), reasoning: '' });
  writer.add({ text: 'b'.repeat(600), reasoning: '' });
  let isOver = false;
  const rest = writer.rest().finally(() => (isOver = true));
  await new Promise(setImmediate);
  writes[0]!.resolve();
  await new Promise(setImmediate);
  expect({ writes: writes.length, isOver }).toEqual({ writes: 2, isOver: false });
  writes[1]!.reject(new Error('the step is lost'));
  await expect(rest).rejects.toThrow('the step is lost');
});
