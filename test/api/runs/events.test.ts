import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { keyEnded } from '../../../base/errors/keyErrors.ts';
import { createKey, revokeKey } from '../../../db/keys/keyStore.ts';
import { eventIdOf } from '../../../db/events/appendEvents.ts';
import { retime } from '../../support/clock.ts';
import { setGuardStage, codeOf } from '../../support/guardStage.ts';
import { readEvents, type ReadEvent } from '../../support/streams.ts';
import { delta, finishTestRun, makeRun, addEvents } from '../../support/run.ts';
import { until } from '../../support/until.ts';

const stage = await setGuardStage();
const account = await stage.account();
afterAll(() => stage.close());

const asked = (headers: Record<string, string> = {}, signal?: AbortSignal) => ({
  headers: { authorization: `Bearer ${account.secret}`, accept: 'text/event-stream', ...headers },
  ...(signal && { signal }),
});
const follow = (runId: string, query = '', headers: Record<string, string> = {}) =>
  stage.ask(`/v1/runs/${runId}/events${query}`, asked(headers));

async function collect(response: Response): Promise<ReadEvent[]> {
  const events = [];
  for await (const event of readEvents(response)) events.push(event);
  return events;
}

/** An open run with this many deltas. */
async function runWithDeltas(deltas: number) {
  const run = await makeRun(stage.db, account);
  const texts = Array.from({ length: deltas }, (_, index) => delta(String(index)));
  if (deltas > 0) await addEvents(stage.db, run.id, ...texts);
  return run;
}

const numbersOf = (events: ReadEvent[]) => events.map(({ data }) => data.sequence);
const upTo = (count: number, from = 1) => Array.from({ length: count - from + 1 }, (_, index) => from + index);

describe('the event stream of a run', () => {
  test('sends events as they happen, each with id, type and event object, and ends with the run', async () => {
    const run = await runWithDeltas(2);
    const response = await follow(run.id);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const notes: { comments: string[]; retry?: number } = { comments: [] };
    const seen: ReadEvent[] = [];
    for await (const event of readEvents(response, notes)) {
      seen.push(event);
      if (seen.length === 2) await addEvents(stage.db, run.id, delta('2'));
      if (seen.length === 3) await finishTestRun(stage.db, run);
    }
    expect(notes.retry).toBe(2_000);
    expect(numbersOf(seen)).toEqual([1, 2, 3, 4]);
    expect(seen[2]).toEqual({
      id: eventIdOf(run.id, 3),
      type: 'run.output_text.delta',
      data: {
        id: eventIdOf(run.id, 3),
        object: 'event',
        type: 'run.output_text.delta',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        timestamp: (seen[2]!.data as unknown as { created_at: string }).created_at,
        sequence: 3,
        run_id: run.id,
        resource: { type: 'run', id: run.id },
        data: { delta: '2' },
      },
    });
    expect(seen[3]).toMatchObject({ type: 'run.completed', data: { data: { status: 'completed' } } });
  });

  test('resumes after the id in the header or the query; the header takes precedence', async () => {
    const run = await runWithDeltas(5);
    await finishTestRun(stage.db, run);
    const id = (sequence: number) => eventIdOf(run.id, sequence);
    expect(numbersOf(await collect(await follow(run.id, '', { 'last-event-id': id(2) })))).toEqual(upTo(6, 3));
    expect(numbersOf(await collect(await follow(run.id, `?starting_after=${id(4)}`)))).toEqual([5, 6]);
    const both = await follow(run.id, `?starting_after=${id(1)}`, { 'last-event-id': id(5) });
    expect(numbersOf(await collect(both))).toEqual([6]);
  });

  test("ends with an error without an id when its reader's key is revoked; other readers continue", async () => {
    const run = await runWithDeltas(1);
    const { id: keyId, secret } = await createKey(stage.db.everywhere, {
      workspaceId: account.workspaceId,
      name: 'to be revoked',
      scopes: ['agents'],
    });
    const path = `/v1/runs/${run.id}/events`;
    const revoked = await stage.ask(path, asked({ authorization: `Bearer ${secret}` }));
    const other = collect(await follow(run.id));
    await revokeKey(stage.db, keyId);
    expect((await revoked.text()).split('\n\n').slice(-2)).toEqual([
      `event: error\ndata: ${JSON.stringify({ error: keyEnded().body })}`,
      '',
    ]);
    expect((await stage.ask(path, asked({ authorization: `Bearer ${secret}` }))).status).toBe(401);
    await finishTestRun(stage.db, run);
    expect(numbersOf(await other)).toEqual([1, 2]);
  });

  test('answers 204 to a reader that has the last event', async () => {
    const run = await runWithDeltas(1);
    const last = await finishTestRun(stage.db, run);
    const response = await follow(run.id, '', { 'last-event-id': last });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  test('of a long log is complete, although it exceeds the window that readers share', async () => {
    const run = await makeRun(stage.db, account);
    const tellHundred = (text: string) =>
      addEvents(stage.db, run.id, ...Array.from({ length: 100 }, () => delta(text)));
    for (let batch = 0; batch < 30; batch += 1) await tellHundred(String(batch));
    const early = await follow(run.id);
    for (let batch = 0; batch < 15; batch += 1) await tellHundred('x'.repeat(400));
    await finishTestRun(stage.db, run);
    expect(numbersOf(await collect(early))).toEqual(upTo(4_501));
    expect(numbersOf(await collect(await follow(run.id)))).toEqual(upTo(4_501));
  });

  test('is the same for every reader, wherever it starts', async () => {
    const run = await runWithDeltas(10);
    const readers = Array.from({ length: 30 }, (_, index) =>
      follow(run.id, index % 11 ? `?starting_after=${eventIdOf(run.id, index % 11)}` : '').then(collect),
    );
    for (let step = 0; step < 20; step += 1) await addEvents(stage.db, run.id, delta('more'), delta('and more'));
    await finishTestRun(stage.db, run);
    const all = await Promise.all(readers);
    expect(all.map(numbersOf)).toEqual(all.map((_, index) => upTo(51, (index % 11) + 1)));
  });

  test('keeps the connection alive with comments, which have no id', async () => {
    retime({ fromMs: 10_000, toMs: 200 });
    const run = await runWithDeltas(1);
    const notes: { comments: string[] } = { comments: [] };
    const reading = (async () => {
      const events = [];
      for await (const event of readEvents(await follow(run.id), notes)) events.push(event);
      return events;
    })();
    await until(() => notes.comments.length > 0);
    jest.restoreAllMocks();
    await finishTestRun(stage.db, run);
    expect(numbersOf(await reading)).toEqual([1, 2]);
    expect(new Set(notes.comments)).toEqual(new Set(['keep-alive']));
  });

  test('delivers events even without a database notice', async () => {
    const run = await runWithDeltas(0);
    const response = await follow(run.id);
    await stage.asOwner(
      `with counted as (update runs set last_sequence = 1 where id = $1 returning id, workspace_id)
       insert into run_events (run_id, sequence, workspace_id, type, data) select id, 1, workspace_id, 'run.queued', '{}' from counted`,
      [run.id],
    );
    const seen: ReadEvent[] = [];
    for await (const event of readEvents(response)) {
      seen.push(event);
      if (seen.length === 1) await finishTestRun(stage.db, run);
    }
    expect(numbersOf(seen)).toEqual([1, 2]);
  });

  test('ends at once when the process drains, so that the reader reconnects elsewhere', async () => {
    const another = await stage.startAnother();
    const run = await runWithDeltas(3);
    const response = await fetch(`${another.url}/v1/runs/${run.id}/events`, asked());
    const seen: ReadEvent[] = [];
    const reading = (async () => {
      for await (const event of readEvents(response)) seen.push(event);
    })();
    await until(() => seen.length === 3);
    process.kill(another.pid, 'SIGTERM');
    await reading;
    expect(await another.exited).toContain('0');
    await finishTestRun(stage.db, run);
    const rest = await collect(await follow(run.id, '', { 'last-event-id': seen.at(-1)!.id }));
    expect(numbersOf([...seen, ...rest])).toEqual([1, 2, 3, 4]);
  });
});

describe('a list of events', () => {
  const page = async (runId: string, query: string) =>
    (await (await follow(runId, query, { accept: 'application/json' })).json()) as {
      object: string;
      data: { sequence: number }[];
      has_more: boolean;
      next_cursor: string | null;
    };

  test('is paged for callers that accept JSON', async () => {
    const run = await runWithDeltas(5);
    const first = await page(run.id, '?limit=3');
    expect(first).toMatchObject({ object: 'list', has_more: true, next_cursor: eventIdOf(run.id, 3) });
    expect(first.data.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    const second = await page(run.id, `?limit=3&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect(second.data.map(({ sequence }) => sequence)).toEqual([4, 5]);
    const none = await page(run.id, `?starting_after=${eventIdOf(run.id, 5)}`);
    expect(none).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  });
});

describe('events are refused', () => {
  test.each([
    ['that of another run', (runId: string) => eventIdOf(`${runId.slice(0, -2)}zz`, 1)],
    ['one that has not happened yet', (runId: string) => eventIdOf(runId, 3)],
    ['number zero', (runId: string) => eventIdOf(runId, 0)],
    ['no id at all', () => 'evt_../../etc'],
  ])('after an id that is not of this run: %s', async (_, idFor) => {
    const run = await runWithDeltas(2);
    const asList = { accept: 'application/json' };
    for (const [param, response] of [
      ['last-event-id', await follow(run.id, '', { 'last-event-id': idFor(run.id) })],
      ['starting_after', await follow(run.id, `?starting_after=${idFor(run.id)}`, asList)],
      ['cursor', await follow(run.id, `?cursor=${idFor(run.id)}`, asList)],
    ] as const) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_event_id', param } });
    }
  });

  test('with 410 event_expired when they are past their retention', async () => {
    const run = await runWithDeltas(4);
    await stage.asOwner('delete from run_events where run_id = $1 and sequence <= 2', [run.id]);
    for (const query of ['', `?starting_after=${eventIdOf(run.id, 1)}`]) {
      const response = await follow(run.id, query);
      expect(response.status).toBe(410);
      expect(await codeOf(response)).toBe('event_expired');
    }
    const last = await finishTestRun(stage.db, run);
    expect(numbersOf(await collect(await follow(run.id, `?starting_after=${eventIdOf(run.id, 2)}`)))).toEqual([
      3, 4, 5,
    ]);
    await stage.asOwner('delete from run_events where run_id = $1', [run.id]);
    expect((await follow(run.id)).status).toBe(410);
    expect((await follow(run.id, '', { 'last-event-id': last })).status).toBe(204);
  });

  test("for another workspace's run, with the 404 of an unknown run", async () => {
    const other = await stage.account();
    const run = await makeRun(stage.db, other);
    const response = await follow(run.id);
    expect(response.status).toBe(404);
    expect(await codeOf(response)).toBe('run_not_found');
    expect((await follow('run_0none')).status).toBe(404);
    expect((await follow('run-1')).status).toBe(422);
  });

  test('without a key', async () => {
    const run = await runWithDeltas(1);
    expect((await follow(run.id, '', { authorization: '' })).status).toBe(401);
  });
});
