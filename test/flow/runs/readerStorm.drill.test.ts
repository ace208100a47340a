import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventIdOf } from '../../../db/events/appendEvents.ts';
import { createPlaces } from '../../../base/places.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { read } from '../../support/http.ts';
import { readEvents } from '../../support/streams.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { delta, finishTestRun, makeRun, addEvents } from '../../support/run.ts';

const readers = 500;
const events = 300;
// A slow machine must not serve more concurrent readers than a fast one: the run continues once its readers are close to it on average,
// although many of them wait for the head of an answer. All at once they would starve the server.
const behindMax = 10;
const places = createPlaces({ atOnce: 50 });
let received = 0;
const random = seededRandom(flowSeed);

const stage = await setGuardStage({ start: startApiProcess });
const account = await stage.account({ concurrencyLimit: 10_000 });
// A newly started process soon loads a large library, which blocks a starved machine for as long as others wait.
await until(async () => (await read<{ temporal: string }>(stage.ask('/readyz'))).temporal !== 'unknown');
afterAll(() => stage.close());

/** On a separate connection: a pool opens some in advance, and a request on a connection that the server is closing gets a timeout. */
async function follow(runId: string, lastEventId?: string, signal = new AbortController().signal) {
  const headers = {
    authorization: `Bearer ${account.secret}`,
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  return places.run(
    async () => {
      const sent = request(`${stage.api.url}/v1/runs/${runId}/events`, { agent: false, headers, signal });
      sent.end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      // A disconnect shows in the reader's data.
      sent.on('error', () => {});
      return response;
    },
    { signal },
  );
}

/** Reads a run to its end with many disconnects, resuming after the last event. Returns the numbers of all events read. */
async function readInParts(runId: string, wrongIds: string[]): Promise<number[]> {
  const read: number[] = [];
  for (;;) {
    const leaving = new AbortController();
    const leavesAfter = 1 + Math.floor(random() * 100);
    const response = await follow(runId, read.length > 0 ? eventIdOf(runId, read.at(-1)!) : undefined, leaving.signal);
    // The reader already had the last event.
    if (response.statusCode === 204) return read;
    expect(response.statusCode).toBe(200);
    let taken = 0;
    try {
      for await (const { data } of readEvents({ body: response })) {
        read.push(data.sequence);
        received += 1;
        taken += 1;
        if (taken === leavesAfter) leaving.abort();
      }
      return read;
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    }
    await sleep(random() * 200);
    if (random() < 0.2) await expectRefused(runId, wrongIds[Math.floor(random() * wrongIds.length)]!);
  }
}

async function expectRefused(runId: string, wrongId: string): Promise<void> {
  const refused = await follow(runId, wrongId);
  expect({ wrongId, status: refused.statusCode }).toEqual({ wrongId, status: 400 });
  refused.destroy();
}

test(`500 reconnecting readers each read every event once, despite wrong event ids (seed ${flowSeed})`, async () => {
  const [run, other] = [await makeRun(stage.db, account), await makeRun(stage.db, account)];
  await addEvents(stage.db, other.id, delta('other'));
  const wrongIds = ['garbage', eventIdOf(other.id, 1), eventIdOf(run.id, 999_999), `${eventIdOf(run.id, 1)}0`];
  const reading = Promise.all(Array.from({ length: readers }, () => readInParts(run.id, wrongIds)));
  for (let sent = 0; sent < events - 1; sent += 1) {
    await addEvents(stage.db, run.id, delta(`${sent}`));
    await sleep(10);
    await until(() => received >= (sent - behindMax) * readers, { timeoutMs: 300_000, pollMs: 10 });
  }
  await finishTestRun(stage.db, run);
  const expected = Array.from({ length: events }, (_, index) => index + 1);
  for (const read of await reading) expect(read).toEqual(expected);
}, 600_000);
