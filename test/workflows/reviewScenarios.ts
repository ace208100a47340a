import { ApplicationFailure } from '@temporalio/activity';
import type { ReviewInput, ReviewResult } from '../../contracts/review.ts';
import { until } from '../support/until.ts';
import type { ReviewHandle, ReviewWorkflowStage, ReviewWorld, Wait } from './reviewStage.ts';

/** One path through a review: the expected end, and the steps to it. */
export interface ReviewScenario {
  promise: string;
  /** The workflow's result, and the calls of its activities. */
  ends: Partial<ReviewResult> & Partial<ReviewWorld>;
  /** Resolves with the review, whose workflow has ended, and its world. */
  play: (stage: ReviewWorkflowStage) => Promise<{ handle: ReviewHandle; world: ReviewWorld }>;
}

type Act = (stage: ReviewWorkflowStage, handle: ReviewHandle, world: ReviewWorld) => Promise<unknown>;

/** Starts a review in a test world, runs the given steps, and waits for its end. */
const playing =
  (
    changes: Partial<ReviewWorld>,
    act: Act,
    endsIn?: Wait | 'decision',
    input?: Partial<ReviewInput>,
  ): ReviewScenario['play'] =>
  async (stage) => {
    const world = stage.newWorld(changes);
    const handle = await stage.start(endsIn, input);
    await act(stage, handle, world);
    await handle.result();
    return { handle, world };
  };

const decides =
  (move: Parameters<ReviewWorkflowStage['decide']>[1]): Act =>
  (stage, handle) =>
    stage.decide(handle, move);

const whole = { blocking: 0, examples: 2, probes: 1 };
const trials = ['example0', 'example1', 'probe0'];

/** By name, which is also the file name of the history. */
export const reviewScenarios: Record<string, ReviewScenario> = {
  approved: {
    promise: 'a review that an operator approves in time sends no reminder',
    ends: { status: 'active', moves: ['approve'], reminders: [] },
    play: playing({}, decides('approve')),
  },
  decidedByRule: {
    promise: 'the review of a test workspace ends as its submission asks, without an operator',
    ends: { status: 'rejected', moves: ['reject'], trials: [], reminders: [] },
    play: playing(
      { check: async () => ({ blocking: 0, examples: 0, probes: 0, testReview: 'reject' as const }) },
      async () => undefined,
    ),
  },
  waitsForItsWorkspace: {
    promise: 'the review of a test workspace waits for the outcome that is chosen later, and tells no operator',
    ends: { status: 'active', moves: ['approve'], trials: [], reminders: [] },
    play: playing(
      { check: async () => ({ blocking: 0, examples: 0, probes: 0, testReview: 'wait' as const }) },
      async (stage, handle) => {
        await until(async () => (await stage.detailsOf(handle)).startsWith('Waits for the outcome'));
        await stage.decide(handle, 'approve');
      },
    ),
  },
  cancelledOutside: {
    promise: 'a review whose workflow an operator cancels continues, and is decided',
    ends: { status: 'active', moves: ['approve'], trials: [...trials] },
    play: playing({ check: async () => whole }, async (stage, handle, world) => {
      await handle.cancel();
      await until(async () => world.trials.length === 3 && (await stage.detailsOf(handle)).startsWith('Waits'));
      await stage.decide(handle, 'approve');
    }),
  },
  trialFails: {
    promise: 'a trial whose run fails is judged like any other',
    ends: { status: 'rejected', costUsd: 0.75, trials: [...trials] },
    play: playing({ check: async () => whole, trialEndsAs: 'failed' }, async (stage, handle) => {
      await until(async () => (await stage.detailsOf(handle)).startsWith('Waits'));
      await stage.decide(handle, 'reject');
    }),
  },
  changesRequested: {
    promise: 'a review in which an operator requests changes in time sends no reminder',
    ends: { status: 'changes_requested', moves: ['request_changes'], reminders: [] },
    play: playing({}, decides('request_changes')),
  },
  rejected: {
    promise: 'a review that an operator rejects in time sends no reminder',
    ends: { status: 'rejected', moves: ['reject'], reminders: [] },
    play: playing({}, decides('reject')),
  },
  withdrawn: {
    promise: 'a review that its publisher withdraws in time sends no reminder',
    ends: { status: 'withdrawn', moves: ['withdraw'], reminders: [] },
    play: playing({}, decides('withdraw')),
  },
  escalated: {
    promise: 'an undecided review reminds once, escalates once, shows both, and can still be decided',
    ends: { status: 'active', findings: 0, costUsd: 0, moves: ['approve'], reminders: ['reminder', 'escalation'] },
    play: playing(
      {},
      async (stage, handle) => {
        await until(async () => (await stage.detailsOf(handle)).startsWith('ESCALATED'));
        await stage.decide(handle, 'approve');
      },
      'escalation',
    ),
  },
  reminded: {
    promise: 'a review that is decided after its reminder is not escalated',
    ends: { status: 'withdrawn', reminders: ['reminder'] },
    play: playing(
      {},
      async (stage, handle, world) => {
        await until(() => world.reminders.length === 1);
        await stage.decide(handle, 'withdraw');
      },
      'reminder',
    ),
  },
  sentBack: {
    promise: 'blocking findings reject a submission without an operator and without a trial',
    ends: { status: 'changes_requested', findings: 2, costUsd: 0, moves: ['request_changes'], trials: [] },
    play: playing({ check: async () => ({ ...whole, blocking: 2 }) }, async () => {}),
  },
  tried: {
    promise: 'a submission with successful trials waits for an operator, who sees the trials’ cost',
    ends: { status: 'active', findings: 0, costUsd: 0.75, moves: ['approve'], trials },
    play: playing({ check: async () => whole }, async (stage, handle) => {
      await until(async () => (await stage.detailsOf(handle)) === 'Waits for an operator. The trials cost 0.75 USD.');
      await stage.decide(handle, 'approve');
    }),
  },
  compared: {
    promise: 'the public version answers the same examples after the probes, at the cost of the review',
    ends: { status: 'active', findings: 0, costUsd: 1.25, moves: ['approve'], trials: [...trials, 'live0', 'live1'] },
    play: playing({ check: async () => whole, isPublic: true }, async (stage, handle) => {
      await until(async () => (await stage.detailsOf(handle)) === 'Waits for an operator. The trials cost 1.25 USD.');
      await stage.decide(handle, 'approve');
    }),
  },
  published: {
    promise: 'of an agent that was published without a review only the examples are tried, and nothing is decided',
    ends: { status: 'active', findings: 0, costUsd: 0.5, moves: [], reminders: [], trials: ['example0', 'example1'] },
    play: playing({ check: async () => whole }, async () => {}, 'decision', { isPublished: true }),
  },
  rolledOut: {
    promise: 'an approved version is looked after until its rollout is over',
    ends: { status: 'active', moves: ['approve'], rolloutLooks: 3 },
    play: playing({ rolloutWaitsMs: [200, 200] }, decides('approve')),
  },
  rolloutEndedByHand: {
    promise: 'a rollout that was ended by hand is looked after at once',
    ends: { status: 'active', moves: ['approve'], rolloutLooks: 2 },
    play: playing({ rolloutWaitsMs: [3_600_000] }, async (stage, handle, world) => {
      await stage.decide(handle, 'approve');
      await until(() => world.rolloutLooks === 1);
      await stage.decide(handle, 'withdraw');
    }),
  },
  rolloutResumed: {
    promise: 'a rollout without its review is looked after, and nothing is checked or decided',
    ends: { status: 'active', moves: [], trials: [], rolloutLooks: 2 },
    play: playing({ check: async () => whole, rolloutWaitsMs: [200] }, async () => {}, 'decision', {
      isRollingOut: true,
    }),
  },
  trialsFailed: {
    promise: 'blocking findings of trials reject a submission when all are done',
    ends: { status: 'changes_requested', findings: 3, costUsd: 1.5, moves: ['request_changes'], trials },
    play: playing({ check: async () => whole, judge: () => ({ blocking: 1, costUsd: 0.5 }) }, async () => {}),
  },
  decidedWhileChecking: {
    promise: 'a decision during the checks ends the review, whatever they would have found',
    ends: { status: 'active', findings: 0, moves: ['approve'] },
    play: async (stage) => {
      const begun = Promise.withResolvers<void>();
      const found = Promise.withResolvers<Awaited<ReturnType<ReviewWorld['check']>>>();
      const check: ReviewWorld['check'] = () => (begun.resolve(), found.promise);
      return playing({ check }, async (_, handle) => {
        await begun.promise;
        await stage.decide(handle, 'approve');
        found.resolve({ ...whole, blocking: 1 });
      })(stage);
    },
  },
  withdrawnWhileTried: {
    promise: 'a withdrawal during a trial ends that trial and starts no other',
    ends: { status: 'withdrawn', moves: ['withdraw'], trials: ['example0'], stopped: 1 },
    play: playing({ check: async () => whole, answers: false }, async (stage, handle, world) => {
      await until(() => world.trials.length === 1);
      await stage.decide(handle, 'withdraw');
    }),
  },
  checksBroken: {
    promise: 'failed checks leave the decision to an operator',
    ends: { status: 'active', moves: ['approve'] },
    play: playing(
      {
        check: () =>
          Promise.reject(Object.assign(new Error('broken'), { name: 'ApplicationFailure', nonRetryable: true })),
      },
      async (stage, handle) => {
        await until(async () => (await stage.detailsOf(handle)) !== '');
        await stage.decide(handle, 'approve');
      },
    ),
  },
  trialBroken: {
    promise: 'an operator, who decides, is told of trials that the platform could not judge in any try',
    ends: { status: 'active', moves: ['approve'], trials: ['example0'], broken: 1 },
    play: playing(
      {
        check: async () => whole,
        judge: () => {
          throw ApplicationFailure.nonRetryable('A fault of ours.', 'platform');
        },
      },
      async (stage, handle) => {
        const waits = 'Waits for an operator. The trials cost 0 USD. The automatic checks failed.';
        await until(async () => (await stage.detailsOf(handle)) === waits);
        await stage.decide(handle, 'approve');
      },
    ),
  },
  approvedTwice: {
    promise: 'two concurrent decisions count once',
    ends: { status: 'active', moves: ['approve'] },
    play: playing({}, (stage, handle) =>
      Promise.all([stage.decide(handle, 'approve'), stage.decide(handle, 'approve')]),
    ),
  },
};
