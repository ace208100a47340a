import { ApplicationFailure, Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { untilCalled, type Scripted, type ScriptedScenario, type ScriptedWorld } from './scriptedStage.ts';

const ran = {
  next: 'end',
  result: {
    status: 'completed',
    meters: {},
    subtotalNanos: '0',
    networkFeeNanos: '0',
    totalNanos: '0',
    absorbedNanos: '0',
    events: [],
  },
};
const ended = { status: 'passed', passed: 2, failed: 0, errored: 0, costNanos: '6' };
const cases = [0, 1].map((place) => ({ place, wantedNanos: '10', leastNanos: '1' }));
const graded = { spentNanos: '3' };
const fault = ApplicationFailure.nonRetryable('A fault of ours.', 'platform');

type Act = (handle: WorkflowHandle, world: ScriptedWorld) => Promise<unknown>;

/** `started`: how each case begins; by default with a run. */
const playing =
  (
    script: Record<string, Scripted[]>,
    { act, started = ['run', 'run'] }: { act?: Act; started?: (object | 'run')[] } = {},
  ): ScriptedScenario['play'] =>
  async (stage) => {
    const evaluation = await stage.startEvaluation((id) => ({
      beginEvaluation: [{ cases, leftNanos: '10' }],
      startEvaluationCase: started.map((one, at) => (one === 'run' ? { runId: `run_${id}_${at}` } : one)),
      modelStep: [ran],
      gradeEvaluationCase: [graded],
      finishEvaluation: [ended],
      ...script,
    }));
    await act?.(evaluation.handle, evaluation.world);
    await evaluation.handle.result();
    return evaluation;
  };

/** A model that answers nothing until it is stopped. */
async function untilStopped(): Promise<never> {
  for (;;) {
    Context.current().heartbeat();
    await Context.current().sleep(50);
  }
}

const oneCase = ['startEvaluationCase', 'modelStep', 'gradeEvaluationCase'];

/** By name, which is also the file name of the history. */
export const evaluationScenarios: Record<string, ScriptedScenario> = {
  oneByOne: {
    promise: 'a case waits for the money that another one returns',
    ends: ended,
    calls: [
      'beginEvaluation',
      ...oneCase,
      'startEvaluationCase',
      'modelStep',
      'gradeEvaluationCase',
      'finishEvaluation',
    ],
    play: playing({ beginEvaluation: [{ cases, leftNanos: '13' }] }),
  },
  sideBySide: {
    promise: 'cases run side by side while there is money for all',
    ends: ended,
    play: playing({ beginEvaluation: [{ cases, leftNanos: '20' }] }),
  },
  overLimit: {
    promise: 'no case begins that the limit does not cover',
    ends: ended,
    calls: ['beginEvaluation', ...oneCase, 'finishEvaluation'],
    play: playing({ gradeEvaluationCase: [{ spentNanos: '10' }] }),
  },
  cutByLimit: {
    promise: 'a case that its part of the limit has cut is the last one',
    ends: ended,
    calls: ['beginEvaluation', ...oneCase, 'finishEvaluation'],
    play: playing({ gradeEvaluationCase: [{ spentNanos: '3', stop: 'cost_limit' }] }),
  },
  refused: {
    promise: 'a refusal that concerns all cases ends the evaluation',
    ends: ended,
    calls: ['beginEvaluation', 'startEvaluationCase', 'finishEvaluation'],
    play: playing({}, { started: [{ runId: null, stop: 'insufficient_balance' }] }),
  },
  caseFails: {
    promise: 'a case that the platform cannot start in any try ends the evaluation, and no other one begins',
    ends: ended,
    calls: ['beginEvaluation', 'startEvaluationCase', 'finishEvaluation'],
    play: playing({ startEvaluationCase: [fault] }),
  },
  gradeFails: {
    promise: 'a case that cannot be checked in any try ends the evaluation',
    ends: ended,
    calls: ['beginEvaluation', ...oneCase, 'finishEvaluation'],
    play: playing({ gradeEvaluationCase: [fault] }),
  },
  beginFails: {
    promise: 'an evaluation whose cases cannot be read in any try ends',
    ends: ended,
    calls: ['beginEvaluation', 'finishEvaluation'],
    play: playing({ beginEvaluation: [fault] }),
  },
  ended: {
    promise: 'an evaluation that has ended stays as it is',
    ends: ended,
    calls: ['beginEvaluation', 'finishEvaluation'],
    play: playing({ beginEvaluation: [{ cases: [], leftNanos: '0' }] }),
  },
  cancelled: {
    promise: 'a cancelled evaluation cancels its running case, and ends after it',
    ends: ended,
    calls: [
      'beginEvaluation',
      'startEvaluationCase',
      'modelStep',
      'finishRun',
      'gradeEvaluationCase',
      'finishEvaluation',
    ],
    play: playing(
      { modelStep: [untilStopped], finishRun: [{ ...ran.result, status: 'cancelled' }] },
      {
        act: async (handle, world) => {
          await untilCalled(world, 'modelStep', 1);
          await handle.cancel();
        },
      },
    ),
  },
  cancelledBeforeItsCases: {
    promise: 'an evaluation that is cancelled before its cases are read ends as cancelled',
    ends: ended,
    calls: ['beginEvaluation', 'finishEvaluation'],
    play: (stage) => {
      const reading = Promise.withResolvers<object>();
      const act: Act = async (handle, world) => {
        await untilCalled(world, 'beginEvaluation', 1);
        await handle.cancel();
        // Answered once the workflow knows of its cancellation.
        await handle.query('__stack_trace');
        reading.resolve({ cases, leftNanos: '10' });
      };
      return playing({ beginEvaluation: [() => reading.promise] }, { act })(stage);
    },
  },
  cancelledJudging: {
    promise: 'a cancelled evaluation lets a case that is judged end, because its judge is paid',
    ends: ended,
    calls: ['beginEvaluation', ...oneCase, 'finishEvaluation'],
    play: (stage) => {
      const judging = Promise.withResolvers<object>();
      const act: Act = async (handle, world) => {
        await untilCalled(world, 'gradeEvaluationCase', 1);
        await handle.cancel();
        // Answered once the workflow knows of its cancellation.
        await handle.query('__stack_trace');
        const { events } = await handle.fetchHistory();
        judging.resolve(graded);
        const isStopped = events?.some((event) => event.activityTaskCancelRequestedEventAttributes);
        if (isStopped) throw new Error('the judge was stopped');
      };
      return playing({ gradeEvaluationCase: [() => judging.promise] }, { act })(stage);
    },
  },
};
