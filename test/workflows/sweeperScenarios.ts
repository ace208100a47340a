import { WorkflowFailedError } from '@temporalio/client';
import { SWEEP_ACTIVITIES, untilCalled, type Scripted, type ScriptedScenario } from './scriptedStage.ts';

/** Sweeps until an activity was called this often, then terminates it. */
const playing =
  (name: string, times: number, script: Record<string, Scripted[]> = {}): ScriptedScenario['play'] =>
  async (stage) => {
    const { handle, world } = await stage.startSweeper(script);
    await untilCalled(world, name, times);
    await handle.cancel();
    await handle.result().catch((error: unknown) => {
      if (!(error instanceof WorkflowFailedError)) throw error;
    });
    // Whether a sweep is the first of a minute depends on the clock.
    return { handle, world: { ...world, calls: world.calls.filter((call) => SWEEP_ACTIVITIES.includes(call)) } };
  };

/** By name, which is also the file name of the history. */
export const sweeperScenarios: Record<string, ScriptedScenario> = {
  swept: {
    promise: 'a sweep looks after calls, runs, reviews, payments, webhooks and schedules',
    ends: 'CANCELLED',
    calls: SWEEP_ACTIVITIES,
    play: playing('syncSchedules', 1),
  },
  withoutPayments: {
    promise: 'a sweep looks for no automatic payments where none are made',
    ends: 'CANCELLED',
    calls: SWEEP_ACTIVITIES.filter((name) => name !== 'startAutoTopups'),
    play: playing('syncSchedules', 1, { sweepLedger: [{ takesPayments: false }] }),
  },
  failed: {
    promise: 'a sweep that fails is followed by the next one',
    ends: 'CANCELLED',
    calls: ['sweepLedger', 'sweepRuns', 'sweepRuns', ...SWEEP_ACTIVITIES],
    play: playing('syncSchedules', 1, { sweepRuns: [new Error('down'), new Error('down'), {}] }),
  },
  wholeMinute: {
    promise: 'the first sweep of a minute also deletes what has expired',
    ends: 'CANCELLED',
    play: playing('upkeep', 2),
  },
};
