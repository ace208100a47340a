import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EventSource } from 'eventsource';
import { eventIdOf } from '../../db/events/appendEvents.ts';
import { startCuttingProxy } from '../support/network.ts';
import { setGuardStage } from '../support/guardStage.ts';
import { delta, finishTestRun, makeRun, addEvents } from '../support/run.ts';
import { flowSeed, seededRandom } from '../support/random.ts';
import { until } from '../support/until.ts';
import { installVenv, runPython } from './pythonVenv.ts';
import { describeWithPython } from './withPython.ts';

const random = seededRandom(flowSeed);
const CUTS = 50;
const EVENTS = 400;
const timeoutMs = 600_000;

const proxies: { stop(): Promise<void> }[] = [];

const stage = await setGuardStage();
const account = await stage.account();
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await stage.close();
});

/**
 * A run whose events reach their reader through a proxy that cuts fifty connections at some byte; half-way through, the API is killed and
 * replaced. `done` returns whether all events were sent.
 */
async function setTroubledRun() {
  const run = await makeRun(stage.db, account);
  const proxy = await startCuttingProxy(Array.from({ length: CUTS }, () => Math.floor(random() * 3_000)));
  const first = await stage.startAnother();
  proxy.leadTo(first.url);
  const talk = async () => {
    for (let told = 0; told < EVENTS - 1; told += 1) {
      await addEvents(stage.db, run.id, delta(`${told}`));
      if (told === EVENTS / 2) {
        process.kill(first.pid, 'SIGKILL');
        proxy.leadTo((await stage.startAnother()).url);
      }
    }
    await until(() => proxy.cutsLeft() === 0, { timeoutMs: 300_000 });
    await finishTestRun(stage.db, run);
  };
  proxies.push(proxy);
  return {
    url: `${proxy.url}/v1/runs/${run.id}/events`,
    talk,
    ids: Array.from({ length: EVENTS }, (_, index) => eventIdOf(run.id, index + 1)),
  };
}

describe('EventSource', () => {
  test(
    'resumes over fifty disconnects and a server restart without gaps or repetitions, and stops at the end',
    async () => {
      const troubled = await setTroubledRun();
      const ids: string[] = [];
      const source = new EventSource(troubled.url, { fetch: withShortTimeouts(account.secret) });
      for (const type of ['run.output_text.delta', 'run.completed'])
        source.addEventListener(type, (event) => ids.push(event.lastEventId));
      await troubled.talk();
      await until(() => source.readyState === source.CLOSED, { timeoutMs: 300_000 });
      expect(ids).toEqual(troubled.ids);
    },
    timeoutMs,
  );
});

/** The client's own requests with a key, with a short delay before each of its fifty attempts. */
function withShortTimeouts(key: string): typeof fetch {
  return async (url, init) => {
    const headers = { ...(init?.headers as Record<string, string>), authorization: `Bearer ${key}` };
    const response = await fetch(url, { ...init, headers });
    if (response.status !== 200) return response;
    const hurry = new TransformStream<string, string>({
      transform: (text, out) => out.enqueue(text.replace('retry: 2000\n', 'retry: 20\n')),
    });
    const body = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(hurry)
      .pipeThrough(new TextEncoderStream());
    return new Response(body, response);
  };
}

describeWithPython('httpx-sse', () => {
  let python: string;
  beforeAll(async () => {
    python = await installVenv('venv-sse', 'sse-requirements.txt');
  });

  test(
    'resumes over fifty disconnects and a server restart without gaps or repetitions, and stops at the end',
    async () => {
      const troubled = await setTroubledRun();
      const env = { EVENTS_URL: troubled.url, API_KEY: account.secret };
      const [{ status, output }] = await Promise.all([runPython(python, ['follow_events.py'], env), troubled.talk()]);
      if (status !== 0) throw new Error(output);
      const { ids, asked } = JSON.parse(output) as { ids: string[]; asked: number };
      expect(ids).toEqual(troubled.ids);
      expect(asked).toBeGreaterThan(CUTS);
    },
    timeoutMs,
  );
});
