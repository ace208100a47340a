import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { repetitions } from '../../support/random.ts';
import { installPackage, type PythonPackage } from '../sdk/pythonPackage.ts';
import { describeWithPython } from '../withPython.ts';
import { setCutStage, type CutStage, type Outcome } from './cutStage.ts';

// Of the four kinds of calls one is a read, which costs nothing.
const CALLS = 4 * repetitions(30);
const PAID = (CALLS / 4) * 3;
const RUNS = repetitions(12);

describeWithPython('behind proxies that cut every third answer', () => {
  let stage: CutStage;
  let installed: PythonPackage;

  beforeAll(async () => {
    installed = await installPackage();
    stage = await setCutStage({ lanes: 4 });
  }, 600_000);
  afterAll(async () => {
    await stage?.close();
    await installed?.remove();
  });

  test(`${CALLS} calls and ${RUNS} runs of Python end well, each with one bill, and every run is whole`, async () => {
    const env = { ...stage.env, PLAN: stage.planOf({ calls: CALLS, runs: RUNS }) };
    const { status, output } = await installed.call([join(import.meta.dirname, 'programs/cut_calls.py')], env);
    expect([status, output]).toEqual([0, expect.stringContaining('"answers"')]);
    const { answers, runs, failures } = JSON.parse(output.trim().split('\n').at(-1)!) as Outcome;
    expect(failures).toEqual([]);
    expect([answers.length, runs.length]).toEqual([CALLS, RUNS]);
    expect([...answers, ...runs].filter(({ isWhole }) => !isWhole)).toEqual([]);
    expect(new Set(answers.flatMap(({ id }) => id ?? [])).size).toBe(PAID);
    expect(await stage.bills()).toEqual({ calls: PAID, runs: RUNS, debits: PAID + RUNS, doubled: 0 });
    expect(stage.cutsByPlace()).toHaveLength(4);
  }, 600_000);
});
