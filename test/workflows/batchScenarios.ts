import type { WorkflowHandle } from '@temporalio/client';
import { untilCalled, type Scripted, type ScriptedScenario, type ScriptedWorld } from './scriptedStage.ts';

const atLine = (line: number) => ({ line, offsetBytes: line * 100 });
const completed = { ending: 'completed' };

const playing =
  (
    script: Record<string, Scripted[]>,
    { act, next }: { act?: (handle: WorkflowHandle, world: ScriptedWorld) => Promise<unknown>; next?: number } = {},
  ): ScriptedScenario['play'] =>
  async (stage) => {
    const whole = { validateBatch: [true], runBatchLines: [completed], writeBatchFiles: ['completed'], ...script };
    const started = await stage.startBatch(whole, next === undefined ? undefined : atLine(next));
    await act?.(started.handle, started.world);
    await started.handle.result();
    return started;
  };

/** By name, which is also the file name of the history. */
export const batchScenarios: Record<string, ScriptedScenario> = {
  completed: {
    promise: 'a batch runs window after window, and ends with its files',
    ends: { status: 'completed' },
    calls: ['validateBatch', 'runBatchLines', 'runBatchLines', 'runBatchLines', 'writeBatchFiles'],
    play: playing({ runBatchLines: [{ next: atLine(1_001) }, { next: atLine(2_001) }, completed] }),
  },
  fileRefused: {
    promise: 'a batch whose file has errors runs no line',
    ends: { status: 'failed' },
    calls: ['validateBatch'],
    play: playing({ validateBatch: [false] }),
  },
  moneyGone: {
    promise: 'a batch whose money is gone writes its files at once',
    ends: { status: 'completed' },
    calls: ['validateBatch', 'runBatchLines', 'writeBatchFiles'],
    play: playing({ runBatchLines: [{ ending: 'completed', restCode: 'insufficient_balance' }] }),
  },
  cancelled: {
    promise: 'a cancelled batch has the files of what it had',
    ends: { status: 'cancelled' },
    calls: ['validateBatch', 'runBatchLines', 'runBatchLines', 'writeBatchFiles'],
    play: playing({
      runBatchLines: [{ next: atLine(1_001) }, { ending: 'cancelled' }],
      writeBatchFiles: ['cancelled'],
    }),
  },
  cancelledWhileWriting: {
    promise: 'a batch that is cancelled after its last line ends as cancelled',
    ends: { status: 'cancelled' },
    calls: ['validateBatch', 'runBatchLines', 'writeBatchFiles'],
    play: playing({ writeBatchFiles: ['cancelled'] }),
  },
  cancelledOutside: {
    promise: 'a cancellation in Temporal asks for the end of the batch, and lets it end',
    ends: { status: 'cancelled' },
    calls: ['validateBatch', 'runBatchLines', 'cancelBatch', 'writeBatchFiles'],
    play: async (stage) => {
      const asked = Promise.withResolvers<object>();
      const cancel = () => asked.resolve({ ending: 'cancelled' });
      const script = {
        runBatchLines: [() => asked.promise],
        cancelBatch: [cancel],
        writeBatchFiles: ['cancelled'],
      };
      const act = async (handle: WorkflowHandle, world: ScriptedWorld) => {
        await untilCalled(world, 'runBatchLines', 1);
        await handle.cancel();
      };
      return playing(script, { act })(stage);
    },
  },
  expired: {
    promise: 'a batch whose time is over has the files of what it had',
    ends: { status: 'expired' },
    calls: ['validateBatch', 'runBatchLines', 'writeBatchFiles'],
    play: playing({ runBatchLines: [{ ending: 'expired' }], writeBatchFiles: ['expired'] }),
  },
  retried: {
    promise: 'a window and the files are tried again after a failure',
    ends: { status: 'completed' },
    calls: ['validateBatch', 'runBatchLines', 'runBatchLines', 'writeBatchFiles', 'writeBatchFiles'],
    play: playing({
      runBatchLines: [new Error('the database is down'), completed],
      writeBatchFiles: [new Error('the database is down'), 'completed'],
    }),
  },
  atUpstream: {
    promise:
      'lines that are at their upstream are asked for until they have their results; then the window runs the rest',
    ends: { status: 'completed' },
    calls: [
      'validateBatch',
      'runBatchLines',
      'watchBatchPart',
      'watchBatchPart',
      'runBatchLines',
      'watchBatchPart',
      'runBatchLines',
      'writeBatchFiles',
    ],
    play: playing({
      runBatchLines: [{ partId: 'part_1' }, { partId: 'part_2' }, completed],
      watchBatchPart: [{ delayMs: 20 }, { delayMs: null }],
    }),
  },
  cancelledAtUpstream: {
    promise: 'a batch that is cancelled while its lines are at their upstream has what that had answered',
    ends: { status: 'cancelled' },
    calls: ['validateBatch', 'runBatchLines', 'watchBatchPart', 'watchBatchPart', 'runBatchLines', 'writeBatchFiles'],
    play: playing({
      runBatchLines: [{ partId: 'part_1' }, { ending: 'cancelled' }],
      watchBatchPart: [{ delayMs: 20 }, { delayMs: null }],
      writeBatchFiles: ['cancelled'],
    }),
  },
  upstreamAway: {
    promise: 'a part whose upstream cannot be asked is asked again',
    ends: { status: 'completed' },
    calls: ['validateBatch', 'runBatchLines', 'watchBatchPart', 'watchBatchPart', 'runBatchLines', 'writeBatchFiles'],
    play: playing({
      runBatchLines: [{ partId: 'part_1' }, completed],
      watchBatchPart: [new Error('the database is down'), { delayMs: null }],
    }),
  },
  goesOn: {
    promise: 'a batch goes on in a new history where the last one ended, and checks its file no more',
    ends: { status: 'completed' },
    calls: ['runBatchLines', 'runBatchLines', 'writeBatchFiles'],
    play: playing({ runBatchLines: [{ next: atLine(9_001) }, completed] }, { next: 8_001 }),
  },
};
