import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addText, followRun } from '../../docs/examples/followRun.ts';
import { eventIdOf } from '../../db/events/appendEvents.ts';
import { setGuardStage, type GuardStage } from '../support/guardStage.ts';
import { startCuttingProxy } from '../support/network.ts';
import { addEvents, finishTestRun, makeRun } from '../support/run.ts';
import { until } from '../support/until.ts';
import { describeWithPython } from './withPython.ts';

const examples = join(import.meta.dirname, '..', '..', 'docs', 'examples');
// Some shorter than an answer's head, some longer.
const CUTS = [150, 2_000, 900, 1_700, 40, 3_100, 1_200, 2_500];

const proxies: { stop(): Promise<void> }[] = [];
let stage: GuardStage;
let account: Awaited<ReturnType<GuardStage['account']>>;

beforeAll(async () => {
  stage = await setGuardStage();
  account = await stage.account();
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await stage?.close();
});

const words = Array.from({ length: 40 }, (_, at) => `wörd ${at} 🌧 `);

/** A run with two attempts whose events reach their reader through a proxy that cuts connections. The end follows the last cut. */
async function setCutRun() {
  const run = await makeRun(stage.db, account);
  const proxy = await startCuttingProxy(CUTS);
  proxies.push(proxy);
  proxy.leadTo(stage.url);
  const write = async (item_id: string, pieces: string[]) => {
    let offset = 0;
    for (const delta of pieces) {
      await addEvents(stage.db, run.id, { type: 'run.output_text.delta', data: { item_id, delta, offset } });
      offset += delta.length;
    }
  };
  const talk = async () => {
    await write('item_1', words.slice(0, 5));
    await write('item_1r2', words);
    await until(() => proxy.cutsLeft() === 0, { timeoutMs: 60_000 });
    await finishTestRun(stage.db, run);
  };
  const ids = Array.from({ length: words.length + 6 }, (_, at) => eventIdOf(run.id, at + 1));
  return { runId: run.id, url: proxy.url, talk, ids };
}

const texts = { item_1: words.slice(0, 5).join(''), item_1r2: words.join('') };

describe('the example in TypeScript', () => {
  test('follows a run over cut connections without a gap or a repeat, and puts its texts together', async () => {
    const { runId, url, talk, ids } = await setCutRun();
    const talking = talk();
    const seen: string[] = [];
    const written = new Map<string, string>();
    for await (const event of followRun(url, account.secret, runId)) {
      seen.push(event.id);
      addText(written, event);
      // A repeat changes nothing.
      addText(written, event);
    }
    await talking;
    expect(seen).toEqual(ids);
    expect(Object.fromEntries(written)).toEqual(texts);
  });

  test('throws the refusal of a run that is not there', async () => {
    const follow = followRun(stage.url, account.secret, 'run_none');
    await expect(follow.next()).rejects.toThrow('run_not_found');
  });
});

const PROGRAM = `
import json, os
from follow_run import follow_run, add_text
ids, texts = [], {}
for event in follow_run(os.environ["BASE_URL"], os.environ["API_KEY"], os.environ["RUN"]):
    ids.append(event["id"])
    add_text(texts, event)
    add_text(texts, event)
print(json.dumps({"ids": ids, "texts": texts}))
`;

describeWithPython('the example in Python', () => {
  test('follows a run over cut connections without a gap or a repeat, and puts its texts together', async () => {
    const { runId, url, talk, ids } = await setCutRun();
    const env = { ...process.env, BASE_URL: url, API_KEY: account.secret, RUN: runId, PYTHONDONTWRITEBYTECODE: '1' };
    const [{ stdout }] = await Promise.all([
      promisify(execFile)('python3', ['-c', PROGRAM], { cwd: examples, env }),
      talk(),
    ]);
    expect(JSON.parse(stdout)).toEqual({ ids, texts });
  });
});
