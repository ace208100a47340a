import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventIdOf } from '../../db/runs/events/appendEvents.ts';
import { createPlaces } from '../../base/places.ts';
import { setGuardStage, type GuardStage } from '../support/guardStage.ts';
import { flowSeed, seededRandom } from '../support/random.ts';
import { read } from '../support/http.ts';
import { readEvents } from '../support/streams.ts';
import { startApiProcess } from '../support/startApi.ts';
import { until } from '../support/until.ts';
import { delta, finishTestRun, makeRun, addEvents } from '../support/run.ts';

const readers = 500;
const events = 300;
// A slow machine is not to serve more at a time than a fast one: the run goes on when its readers have come so near to it on average, and so
// many of them wait for the head of an answer. All at once they keep a starved server from reading what they sent until it is too late.
const behindMax = 10;
const places = createPlaces({ atOnce: 50 });
let received = 0;
const random = seededRandom(flowSeed);
let stage: GuardStage;
let account: Awaited<ReturnType<GuardStage['account']>>;

beforeAll(async () => {
  stage = await setGuardStage({ start: startApiProcess });
  account = await stage.account({ concurrencyLimit: 10_000 });
  // A process that has just started loads a large library soon, and on a starved machine hears nobody for as long as others wait at most.
  await until(async () => (await read<{ temporal: string }>(stage.ask('/readyz'))).temporal !== 'unknown');
});
afterAll(() => stage?.close());

/**
 * Over a connection of its own: a pool opens some ahead of need, and who uses one of them just when the server gives it up is answered that he
 * was too slow.
 */
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
      // Who leaves is told so by what he reads.
      sent.on('error', () => {});
      return response;
    },
    { signal },
  );
}

/** Reads a run to its end, leaving again and again, and going on after the last event it has. Returns the numbers of all it read. */
async function readInParts(runId: string, wrongIds: string[]): Promise<number[]> {
  const read: number[] = [];
  for (;;) {
    const leaving = new AbortController();
    const leavesAfter = 1 + Math.floor(random() * 100);
    const response = await follow(runId, read.length > 0 ? eventIdOf(runId, read.at(-1)!) : undefined, leaving.signal);
    // It had the last one already.
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

test(`five hundred readers who leave and come back each read every event once, whatever wrong ids they try (seed ${flowSeed})`, async () => {
  const [run, other] = [await makeRun(stage.db, account), await makeRun(stage.db, account)];
  await addEvents(stage.db, other.id, delta('other'));
  const wrongIds = ['garbage', eventIdOf(other.id, 1), eventIdOf(run.id, 999_999), `${eventIdOf(run.id, 1)}0`];
  const reading = Promise.all(Array.from({ length: readers }, () => readInParts(run.id, wrongIds)));
  for (let told = 0; told < events - 1; told += 1) {
    await addEvents(stage.db, run.id, delta(`${told}`));
    await sleep(10);
    await until(() => received >= (told - behindMax) * readers, { timeoutMs: 300_000, pollMs: 10 });
  }
  await finishTestRun(stage.db, run);
  const expected = Array.from({ length: events }, (_, index) => index + 1);
  for (const read of await reading) expect(read).toEqual(expected);
}, 600_000);
