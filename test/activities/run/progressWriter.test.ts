import { expect, test } from '@jest/globals';
import { createProgressWriter } from '../../../activities/run/progressWriter.ts';
import type { NewEvent } from '../../../db/events/appendEvents.ts';
import type { BegunStep } from '../../../db/runs/stepFacts.ts';
import { StepLost } from '../../../db/runs/steps/steps.ts';

const begun: BegunStep = { runId: 'run_1', step: 2, id: 'step_1', attempt: 3, kind: 'tool', name: 'find_order' };

/** A writer whose writes wait for `release`. */
function stage({ error }: { error?: Error } = {}) {
  const written: NewEvent[] = [];
  const waiting: (() => void)[] = [];
  const write = async (event: NewEvent) => {
    written.push(event);
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (error) throw error;
  };
  // A long pause: what is written without `end` is the first report alone.
  const writer = createProgressWriter(begun, { write, pauseMs: 600_000 });
  const release = () => waiting.splice(0).forEach((resolve) => resolve());
  return { writer, release, messages: () => written.map(({ data }) => (data as { message: string }).message), written };
}

const report = (message: string) => ({ message, percentage: null });

test('writes the first report at once, and of those that follow in time the last', async () => {
  const { writer, release, messages, written } = stage();
  for (const message of ['one', 'two', 'three']) writer.add(report(message));
  expect(written).toEqual([
    {
      type: 'run.tool.progress',
      data: { step_id: 'step_1', attempt: 3, tool: 'find_order', message: 'one', percentage: null },
    },
  ]);
  release();
  const ended = writer.end();
  await new Promise(setImmediate);
  release();
  await ended;
  expect(messages()).toEqual(['one', 'three']);
});

test('without a report nothing is written', async () => {
  const { writer, written } = stage();
  await writer.end();
  expect(written).toEqual([]);
});

test('a step in other hands ends the work', async () => {
  const { writer, release } = stage({ error: new StepLost('lost') });
  writer.add(report('one'));
  release();
  await expect(writer.end()).rejects.toThrow(StepLost);
  expect(writer.failed.aborted).toBe(true);
});

test('characters that cannot be stored are replaced', () => {
  const { writer, messages } = stage();
  writer.add(report('a\0b'));
  expect(messages()).toEqual(['a\ufffdb']);
});
