import { afterAll, expect, test } from '@jest/globals';
import { setSandboxedRunStage } from '../../support/runStage.ts';
import { scenarios } from '../../workflows/scenarios.ts';
import { expectRebuilt, quickScenarios, rowsOf } from './rebuilding.ts';
import { runAdmin } from './runAdmin.ts';

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

test.each(quickScenarios)('a run is rebuilt from its history unchanged (%s)', async (name) => {
  await expectRebuilt(stage, (await scenarios[name]!.play(stage)).id);
});

test('a run with complete rows is not changed', async () => {
  const { id } = await scenarios.completed!.play(stage);
  const before = await rowsOf(stage, id);
  const env = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: stage.temporal.address };
  const { stdout } = await runAdmin(['runs', 'rebuild', id, '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({
    run_id: id,
    status_was: 'completed',
    status: 'completed',
    events: 0,
    usage: 0,
  });
  expect(await rowsOf(stage, id)).toEqual(before);
});
