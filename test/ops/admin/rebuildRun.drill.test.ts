import { afterAll, test } from '@jest/globals';
import { setSandboxedRunStage } from '../../support/runStage.ts';
import { scenarios } from '../../workflows/scenarios.ts';
import { expectRebuilt, quickScenarios } from './rebuilding.ts';

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

const others = Object.keys(scenarios).filter((name) => !quickScenarios.includes(name));

test.each(others)('a run is rebuilt from its history unchanged (%s)', async (name) => {
  await expectRebuilt(stage, (await scenarios[name]!.play(stage)).id);
});
