import { WorkflowFailedError } from '@temporalio/client';
import { untilCalled, type Scripted, type ScriptedScenario } from './scriptedStage.ts';

/** Sweeps until its activity was called this often, then ends. */
const playing =
  (times: number, script: Record<string, Scripted[]> = {}): ScriptedScenario['play'] =>
  async (stage) => {
    const { handle, world } = await stage.startSweeper(script);
    await untilCalled(world, 'sweepLoop', times);
    await handle.cancel();
    await handle.result().catch((error: unknown) => {
      if (!(error instanceof WorkflowFailedError)) throw error;
    });
    return { handle, world: { ...world, calls: world.calls.slice(0, times) } };
  };

/** By name, which is also the file name of the history. */
export const sweeperScenarios: Record<string, ScriptedScenario> = {
  loops: {
    promise: 'the sweeper sweeps in one activity, again and again',
    ends: 'CANCELLED',
    calls: ['sweepLoop', 'sweepLoop'],
    play: playing(2),
  },
  loopFails: {
    promise: 'sweeps go on after an activity that was lost',
    ends: 'CANCELLED',
    calls: ['sweepLoop', 'sweepLoop', 'sweepLoop'],
    play: playing(3, { sweepLoop: [new Error('down'), new Error('down'), {}] }),
  },
};
