import { readdir, rm, writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import globalSetup from '../support/globalSetup.ts';
import globalTeardown from '../support/globalTeardown.ts';
import { setSandboxedRunStage } from '../support/runStage.ts';
import { batchScenarios } from './batchScenarios.ts';
import { evaluationScenarios } from './evaluationScenarios.ts';
import { reviewScenarios } from './reviewScenarios.ts';
import { setReviewWorkflowStage } from './reviewStage.ts';
import { scenarios } from './scenarios.ts';
import { historiesOf } from './histories.ts';
import { LONG_HISTORY_EVENTS, longScenarios } from './longScenarios.ts';
import { setScriptedStage } from './scriptedStage.ts';
import { scheduledRunScenarios } from './scheduledRunScenarios.ts';
import { sweeperScenarios } from './sweeperScenarios.ts';
import { testClockScenarios } from './testClockScenarios.ts';
import { webhookScenarios } from './webhookScenarios.ts';

// Records the history of each path through a workflow for the replay tests: `node test/workflows/record.ts`, or only the named
// files. Run it when a new path exists; recorded files stay as long as workflows of that version may be open.

const folder = new URL('histories/', import.meta.url);
const named = process.argv.slice(2);
const recorded = await readdir(folder);
const isWanted = (file: string) => (named.length > 0 ? named.includes(file) : !recorded.includes(file));

await globalSetup();
try {
  await recordRuns();
  await recordLongRuns();
  await recordReviews();
  await recordScripted();
} finally {
  await globalTeardown();
}

async function recordRuns(): Promise<void> {
  const wanted = Object.entries(scenarios).filter(([name]) => isWanted(fileOf('run', name)));
  if (wanted.length === 0) return;
  const stage = await setSandboxedRunStage();
  try {
    for (const [name, { play }] of wanted) {
      const { id } = await play(stage);
      await write(fileOf('run', name), await stage.client.workflow.getHandle(id).fetchHistory());
    }
  } finally {
    await stage.close();
  }
}

/** Of a run that continues as new: its first two histories, and its last one. */
async function recordLongRuns(): Promise<void> {
  const wanted = Object.entries(longScenarios).filter(([name]) => isWanted(fileOf('run', name)));
  if (wanted.length === 0) return;
  const stage = await setSandboxedRunStage({ historyEvents: LONG_HISTORY_EVENTS });
  try {
    for (const [name, { play }] of wanted) {
      const histories = await historiesOf(stage.client, (await play(stage)).id);
      await write(fileOf('run', `${name}First`), histories[0]!);
      await write(fileOf('run', `${name}Second`), histories[1]!);
      await write(fileOf('run', name), histories.at(-1)!);
    }
  } finally {
    await stage.close();
  }
}

async function recordReviews(): Promise<void> {
  const wanted = Object.entries(reviewScenarios).filter(([name]) => isWanted(fileOf('review', name)));
  if (wanted.length === 0) return;
  const stage = await setReviewWorkflowStage();
  try {
    for (const [name, { play }] of wanted) {
      const { handle } = await play(stage);
      await write(fileOf('review', name), await handle.fetchHistory());
    }
  } finally {
    await stage.close();
  }
}

async function recordScripted(): Promise<void> {
  const kinds = Object.entries({
    batch: batchScenarios,
    evaluation: evaluationScenarios,
    webhook: webhookScenarios,
    sweeper: sweeperScenarios,
    scheduledRun: scheduledRunScenarios,
    testClock: testClockScenarios,
  });
  const wanted = kinds.flatMap(([kind, all]) =>
    Object.entries(all)
      .map(([name, { play }]) => ({ file: fileOf(kind, name), play }))
      .filter(({ file }) => isWanted(file)),
  );
  if (wanted.length === 0) return;
  const stage = await setScriptedStage();
  try {
    for (const { file, play } of wanted) await write(file, await (await play(stage)).handle.fetchHistory());
  } finally {
    await stage.close();
  }
}

function fileOf(kind: string, name: string): string {
  return `${kind}${name[0]!.toUpperCase()}${name.slice(1)}.json`;
}

/** Writes a history as JSON, without names of processes, machines and folders. */
async function write(file: string, history: Parameters<typeof historyToJSON>[0]): Promise<void> {
  const text = historyToJSON(history).replaceAll(/\d+@[\w.-]+/g, 'worker');
  const clean: unknown = JSON.parse(text, (name, value: unknown) => (name === 'stackTrace' ? '' : value));
  await rm(new URL(file, folder), { force: true });
  await writeFile(new URL(file, folder), `${JSON.stringify(clean)}\n`);
  console.log(file);
}
