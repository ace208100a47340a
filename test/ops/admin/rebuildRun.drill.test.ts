import { afterAll, beforeAll, test } from '@jest/globals';
import { type RunStage, setSandboxedRunStage } from '../../support/runStage.ts';
import { scenarios } from '../../workflows/scenarios.ts';
import { expectRebuilt, quickScenarios } from './rebuilding.ts';

let stage: RunStage;

beforeAll(async () => {
  stage = await setSandboxedRunStage();
}, 600_000);
afterAll(() => stage?.close());

const others = Object.keys(scenarios).filter((name) => !quickScenarios.includes(name));

test.each(others)('a run is rebuilt from its history unchanged (%s)', async (name) => {
  await expectRebuilt(stage, (await scenarios[name]!.play(stage)).id);
});
