import { readdir, rm, writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import globalSetup from '../support/globalSetup.ts';
import globalTeardown from '../support/globalTeardown.ts';
import type { RunStage } from '../support/runStage.ts';
import { setSandboxedRunStage } from '../support/sandboxedRunStage.ts';
import { scenarios } from './scenarios.ts';

// Records the history of each way through a run, for the replay tests: `node test/workflows/record.ts`, or only those that are named.
// To be done anew when a run gets a new way to go; what is recorded stays, as long as runs of that time may be open.

const folder = new URL('histories/', import.meta.url);
const named = process.argv.slice(2);

await globalSetup();
const stage = await setSandboxedRunStage();
try {
  const recorded = await readdir(folder);
  for (const [name, { play }] of Object.entries(scenarios)) {
    const file = fileOf(name);
    const isWanted = named.length > 0 ? named.includes(name) : !recorded.includes(file);
    if (!isWanted) continue;
    const { id } = await play(stage);
    await rm(new URL(file, folder), { force: true });
    await writeFile(new URL(file, folder), `${JSON.stringify(await historyOf(stage, id))}\n`);
    console.log(file);
  }
} finally {
  await stage.close();
  await globalTeardown();
}

function fileOf(name: string): string {
  return `run${name[0]!.toUpperCase()}${name.slice(1)}.json`;
}

/** The history as JSON, without the names of processes, machines and folders. */
async function historyOf({ client }: RunStage, runId: string): Promise<unknown> {
  const history = await client.workflow.getHandle(runId).fetchHistory();
  const text = historyToJSON(history).replaceAll(/\d+@[\w.-]+/g, 'worker');
  return JSON.parse(text, (name, value: unknown) => (name === 'stackTrace' ? '' : value));
}
