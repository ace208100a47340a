import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { RUN_ENDED_SIGNAL } from '../../contracts/schedule.ts';
import { until } from '../support/until.ts';
import { untilCalled, type Scripted, type ScriptedScenario, type ScriptedWorld } from './scriptedStage.ts';

const runId = 'run_1';
const started = { outcome: 'started', runId };
const waiting = { outcome: 'waiting' };
const skipped = { outcome: 'skipped' };
const missed = { outcome: 'missed', code: 'insufficient_balance', message: 'The balance is too low.' };
const open = null;

type Act = (handle: WorkflowHandle, world: ScriptedWorld) => Promise<unknown>;

const signalTwice: Act = async (handle, world) => {
  for (const looks of [1, 2]) {
    await untilCalled(world, 'readRunEnd', looks);
    await handle.signal(RUN_ENDED_SIGNAL);
  }
};

const playing =
  (script: Record<string, Scripted[]>, { act, goesOn }: { act?: Act; goesOn?: true } = {}): ScriptedScenario['play'] =>
  async (stage) => {
    const whole = { fireSchedule: [started], readRunEnd: ['completed'], cancelScheduledRun: [undefined], ...script };
    const fired = await stage.startScheduledRun(whole, goesOn && runId);
    await act?.(fired.handle, fired.world);
    await fired.handle.result().catch((error: unknown) => {
      if (!(error instanceof WorkflowFailedError)) throw error;
    });
    return fired;
  };

/** By name, which is also the file name of the history. */
export const scheduledRunScenarios: Record<string, ScriptedScenario> = {
  signalled: {
    promise: 'a firing is open until its run has ended, and is told of the end',
    ends: { runId, status: 'completed' },
    calls: ['fireSchedule', 'readRunEnd', 'readRunEnd', 'readRunEnd'],
    play: playing({ readRunEnd: [open, open, 'completed'] }, { act: signalTwice }),
  },
  unsignalled: {
    promise: 'a firing finds the end of a run that it was not told of',
    ends: { runId, status: 'completed' },
    calls: ['fireSchedule', 'readRunEnd', 'readRunEnd'],
    play: playing({ readRunEnd: [open, 'completed'] }),
  },
  limitReached: {
    promise: 'a firing whose run reached a limit has completed',
    ends: { runId, status: 'limit_reached' },
    calls: ['fireSchedule', 'readRunEnd'],
    play: playing({ readRunEnd: ['limit_reached'] }),
  },
  buffered: {
    promise: 'a firing waits until the runs before it have ended',
    ends: { runId, status: 'completed' },
    calls: ['fireSchedule', 'fireSchedule', 'readRunEnd'],
    play: playing({ fireSchedule: [waiting, started] }),
  },
  skipped: {
    promise: 'a firing that the overlap policy skips ends without a run',
    ends: { status: 'skipped' },
    calls: ['fireSchedule'],
    play: playing({ fireSchedule: [skipped] }),
  },
  missed: {
    promise: 'a firing that could create no run fails',
    ends: 'FAILED',
    calls: ['fireSchedule'],
    play: playing({ fireSchedule: [missed] }),
  },
  failed: {
    promise: 'a firing whose run failed fails',
    ends: 'FAILED',
    calls: ['fireSchedule', 'readRunEnd'],
    play: playing({ readRunEnd: ['failed'] }),
  },
  retried: {
    promise: 'a firing waits for a database that is down',
    ends: { runId, status: 'completed' },
    calls: ['fireSchedule', 'fireSchedule', 'readRunEnd', 'readRunEnd'],
    play: playing({
      fireSchedule: [new Error('the database is down'), started],
      readRunEnd: [new Error('the database is down'), 'completed'],
    }),
  },
  signalledReplaced: {
    promise: 'a firing that a newer one replaces cancels its run, and ends after it',
    ends: 'CANCELLED',
    calls: ['fireSchedule', 'readRunEnd', 'cancelScheduledRun', 'readRunEnd', 'readRunEnd'],
    play: playing(
      { readRunEnd: [open, open, 'cancelled'] },
      {
        act: async (handle, world) => {
          await untilCalled(world, 'readRunEnd', 1);
          await handle.cancel();
          await untilCalled(world, 'readRunEnd', 2);
          await handle.signal(RUN_ENDED_SIGNAL);
        },
      },
    ),
  },
  replacedWhileFiring: {
    promise: 'a firing that a newer one replaces while it creates its run cancels that run',
    ends: 'CANCELLED',
    calls: ['fireSchedule', 'cancelScheduledRun', 'readRunEnd'],
    play: (stage) => {
      const created = Promise.withResolvers<Scripted>();
      const act: Act = async (handle, world) => {
        await untilCalled(world, 'fireSchedule', 1);
        await handle.cancel();
        const isAsked = async () =>
          (await handle.fetchHistory()).events!.some((event) => event.activityTaskCancelRequestedEventAttributes);
        await until(isAsked);
        created.resolve(started);
      };
      return playing({ fireSchedule: [created.promise], readRunEnd: ['cancelled'] }, { act })(stage);
    },
  },
  goesOn: {
    promise: 'a firing that goes on in a new history waits for the same run',
    ends: { runId, status: 'completed' },
    calls: ['readRunEnd'],
    play: playing({}, { goesOn: true }),
  },
};
