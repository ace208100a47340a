import { openSandbox } from '../../sandbox/sandbox.ts';
import { setRunStage, type RunStage } from './runStage.ts';

/** The stage of runs with a sandbox for their tools, and a worker that works. Temporal's program may have to be obtained first. */
export async function setSandboxedRunStage(): Promise<RunStage> {
  const sandbox = await openSandbox({ tier: 'quickjs' });
  const stage = await setRunStage({ sandbox });
  await stage.startWorker();

  async function close(): Promise<void> {
    await stage.close();
    await sandbox.close();
  }

  return { ...stage, close };
}
