import { afterAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { repetitions } from '../../support/random.ts';
import { setCutStage, type Outcome } from './cutStage.ts';
import { makeNpmProject, programText } from './npmProject.ts';

// The package as a customer has it, behind proxies that cut every third answer: at its beginning, in its headers, in its middle, and one
// byte before its end.
// Of the five kinds of calls one is a read, which costs nothing.
const CALLS = 5 * repetitions(100);
const PAID = (CALLS / 5) * 4;
const RUNS = repetitions(50);

const stage = await setCutStage({ lanes: 8 });
const project = await makeNpmProject(`${stage.url()}/clients/ledgerline.tgz`);
const openai = JSON.parse(await readFile('node_modules/openai/package.json', 'utf8')) as { version: string };
await project.run('npm', ['install', '--no-audit', '--no-fund', `openai@${openai.version}`]);
await project.write('cutCalls.mjs', programText('cutCalls.mjs'));
afterAll(async () => {
  await project.remove();
  await stage.close();
});

test(`${CALLS} calls and ${RUNS} runs end well, each with one bill, and every stream is whole`, async () => {
  const plan = stage.planOf({ calls: CALLS, runs: RUNS });
  const output = await project.node('cutCalls.mjs', { ...stage.env, PLAN: plan });
  const { answers, runs, failures } = JSON.parse(output) as Outcome;
  expect(failures).toEqual([]);
  expect([answers.length, runs.length]).toEqual([CALLS, RUNS]);
  expect([...answers, ...runs].filter(({ isWhole }) => !isWhole)).toEqual([]);
  const ids = answers.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(PAID);
  expect(new Set(runs.map(({ id }) => id)).size).toBe(RUNS);
  expect(await stage.bills()).toEqual({ calls: PAID, runs: RUNS, debits: PAID + RUNS, doubled: 0 });
  const cuts = stage.cutsByPlace();
  process.stdout.write(`cuts: ${cuts.map(([place, count]) => `${count} ${place}`).join(', ')}\n`);
  expect(cuts).toHaveLength(4);
  for (const [, count] of cuts) expect(count).toBeGreaterThan(CALLS / 10);
}, 600_000);
