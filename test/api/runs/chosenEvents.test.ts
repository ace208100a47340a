import { afterAll, describe, expect, test } from '@jest/globals';
import { eventIdOf, type NewEvent } from '../../../db/events/appendEvents.ts';
import { setGuardStage, codeOf } from '../../support/guardStage.ts';
import { readEvents, type ReadEvent } from '../../support/streams.ts';
import { finishTestRun, makeRun, addEvents } from '../../support/run.ts';

const stage = await setGuardStage();
const account = await stage.account();
afterAll(() => stage.close());

const follow = (runId: string, query = '', headers: Record<string, string> = {}) =>
  stage.ask(`/v1/runs/${runId}/events${query}`, {
    headers: { authorization: `Bearer ${account.secret}`, accept: 'text/event-stream', ...headers },
  });

async function collect(response: Response): Promise<ReadEvent[]> {
  const events = [];
  for await (const event of readEvents(response)) events.push(event);
  return events;
}

describe('chosen events', () => {
  const piece = (item_id: string, offset: number, text: string): NewEvent => ({
    type: 'run.output_text.delta',
    data: { item_id, offset, delta: text },
  });
  const stepStarted: NewEvent = { type: 'run.step.started', data: { step: 1 } };
  const usage: NewEvent = { type: 'run.usage.updated', data: { total_usd: 0.1 } };
  const progress: NewEvent = { type: 'run.in_progress', data: {} };

  async function runWithAll() {
    const run = await makeRun(stage.db, account);
    await addEvents(
      stage.db,
      run.id,
      progress,
      stepStarted,
      piece('a', 0, 'Be'),
      piece('a', 2, ' it'),
      piece('b', 0, 'So'),
      usage,
    );
    return run;
  }

  test('are those of the groups and all that are in none', async () => {
    const run = await runWithAll();
    await finishTestRun(stage.db, run);
    const typesOf = async (query: string) => (await collect(await follow(run.id, query))).map(({ type }) => type);
    expect(await typesOf('?include=cost')).toEqual(['run.in_progress', 'run.usage.updated', 'run.completed']);
    expect(await typesOf('?include=steps, cost')).toEqual([
      'run.in_progress',
      'run.step.started',
      'run.usage.updated',
      'run.completed',
    ]);
    expect(await typesOf('')).toHaveLength(7);
  });

  test('join the pieces of one text that were waiting, under the id of the last', async () => {
    const run = await runWithAll();
    await finishTestRun(stage.db, run);
    const [, first, second] = await collect(await follow(run.id, '?include=deltas'));
    expect(first).toMatchObject({
      id: eventIdOf(run.id, 4),
      data: { sequence: 4, data: { item_id: 'a', offset: 0, delta: 'Be it' } },
    });
    expect(second).toMatchObject({ id: eventIdOf(run.id, 5), data: { data: { item_id: 'b', delta: 'So' } } });
    const rest = await collect(await follow(run.id, '?include=deltas', { 'last-event-id': eventIdOf(run.id, 3) }));
    expect(rest[0]).toMatchObject({ id: eventIdOf(run.id, 4), data: { data: { offset: 2, delta: ' it' } } });
  });

  test('are listed, too', async () => {
    const run = await runWithAll();
    const response = await follow(run.id, '?include=cost&limit=1', { accept: 'application/json' });
    expect(await response.json()).toMatchObject({ data: [{ type: 'run.in_progress' }], has_more: true });
  });

  test('of an unknown group are refused', async () => {
    const run = await runWithAll();
    const response = await follow(run.id, '?include=thoughts');
    expect([response.status, await codeOf(response)]).toEqual([422, 'validation_error']);
  });
});
