import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import { inSpan, tracing } from '../../base/tracing.ts';
import type { EventHead } from '../../db/events/appendEvents.ts';
import type { ThousandthsByMeter } from '../../db/runs/cost/runCost.ts';
import { finishRun, type RunEnding } from '../../db/runs/states/finishRun.ts';
import { ASK_USER_NAME, CALL_AGENT_NAME } from '../../tools/tool.ts';
import type { RunDependencies } from '../dependencies.ts';
import { openContact, type Contact } from './contact.ts';
import { failureOf } from './failures.ts';
import { createModelStep, type ModelStepOrder, type ModelStepResult } from './modelStep.ts';
import { afterRunFinished } from './runTransitions.ts';
import type { ReusedSteps, RunTurn } from './runTurn.ts';
import { createUseTool, type ToolStepOrder } from './toolStep.ts';

// Steps that begin later are activities of their own: then each has its place in the queues, and in the history that operators read.
const JOINED_MS = 10_000;

/** A turn to begin with. Runs of earlier versions say no calls of the model: their steps are activities of their own. */
export interface TurnsOrder extends ModelStepOrder {
  /** The run's calls of the model so far, and the most of them. */
  modelSteps?: number;
  modelStepsMax?: number;
}

/** What the history keeps of one step. */
export interface StepRecord {
  step: number;
  meters: ThousandthsByMeter;
  events: EventHead[];
}

/** `steps`: of each step, if there were several; `reused` says where they end. */
export type TurnsResult = ModelStepResult & { steps?: StepRecord[] };

/** The steps that are done, and the last one that was begun. */
interface Trail {
  steps: StepRecord[];
  at: number;
}

/** What decides whether steps are joined. */
export interface Joining {
  /** How many tools may run in activities of the model at once. None: all tools are activities of their own. */
  joinedTools?: number;
  isStopping: () => boolean;
}

type ToolTurn = RunTurn & { next: 'tools' };

/**
 * The turns of a run from a step on, in one activity while they are short: each call of the model and its tools. Ends when the run ends or
 * waits for something, and before steps that another worker or another time fits better. Repeated, it passes over the steps that are done.
 */
export function createRunTurns(dependencies: RunDependencies & Joining): (order: TurnsOrder) => Promise<TurnsResult> {
  const askModel = createModelStep(dependencies);
  const useTool = createUseTool(dependencies);
  const { db, isStopping } = dependencies;
  let places = dependencies.joinedTools ?? 0;

  async function takeTurns(order: TurnsOrder, contact: Contact, trail: Trail): Promise<TurnsResult> {
    const { runId, modelSteps: before, modelStepsMax } = order;
    const { steps } = trail;
    const endMs = performance.now() + JOINED_MS;
    let asked = 0;
    let { step, deadlineMs } = order;
    for (;;) {
      trail.at = step;
      const { result, isNew } = await askModel(
        { runId, step, ...(deadlineMs !== undefined && { deadlineMs }) },
        contact,
      );
      const { meters, events, ...turn } = result;
      addStep(steps, { step, meters, events });
      const place = placeAfter(step, turn, asked);
      asked = place.modelSteps;
      const upTo = (next: RunTurn): TurnsResult => (steps.length === 1 ? result : joined(steps, place, next));
      if (turn.next !== 'tools' && turn.next !== 'continue') return upTo(turn);
      // Another attempt stops after what it has done anew: the tries of later steps are counted apart.
      const mayGoOn = () =>
        before !== undefined &&
        before + asked < (turn.modelStepsMax ?? modelStepsMax ?? 0) &&
        !(isNew && activityInfo().attempt > 1) &&
        performance.now() < endMs &&
        !contact.isStopped() &&
        !isStopping();
      if (!mayGoOn()) return upTo(turn);
      if (turn.next === 'tools') {
        const used = await useTogether(turn, { runId, modelStep: place.modelStep }, contact, trail);
        if (used === 'apart') return upTo(turn);
        const { modelStepsMax: most } = turn;
        if (used.next !== 'continue' || !mayGoOn())
          return joined(steps, place, { ...(most !== undefined && { modelStepsMax: most }), ...used });
      }
      step = place.lastStep + 1;
      deadlineMs = turn.deadlineMs;
    }
  }

  /** Runs the tools of a turn, unless a worker of tools, a person or another agent has to. */
  async function useTogether(
    { toolCalls, deadlineMs }: ToolTurn,
    of: Pick<ToolStepOrder, 'runId' | 'modelStep'>,
    contact: Contact,
    trail: Trail,
  ): Promise<RunTurn | 'apart'> {
    const isPlain = ({ name, needsApproval }: ToolTurn['toolCalls'][number]) =>
      name !== ASK_USER_NAME && name !== CALL_AGENT_NAME && !needsApproval;
    if (places < toolCalls.length || !toolCalls.every(isPlain)) return 'apart';
    places -= toolCalls.length;
    // Waits for all tools, even after a failure: no tool may write into a settled run.
    const used = await Promise.allSettled(
      toolCalls.map(({ step, name }) => traced(name, () => useTool({ ...of, step, deadlineMs }, contact))),
    ).finally(() => void (places += toolCalls.length));
    const waiting: ToolTurn['toolCalls'] = [];
    let ending: RunEnding | undefined;
    for (const [at, one] of used.entries()) {
      const call = toolCalls[at]!;
      if (one.status === 'rejected') {
        trail.at = call.step;
        continue;
      }
      const { outcome, meters, events } = one.value;
      if (outcome === 'plugin' || outcome === 'unpaid' || outcome === 'raise_limit') waiting.push(call);
      else addStep(trail.steps, { step: call.step, meters, events });
      if (outcome === 'stopped') ending ??= { status: 'cancelled' };
      if (outcome === 'timeout') ending ??= { status: 'limit_reached', limit: 'timeout' };
    }
    const failed = used.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    if (ending) return { next: 'end', result: await endRun(of.runId, ending) };
    if (waiting.length > 0) return { next: 'tools', toolCalls: waiting, deadlineMs };
    return { next: 'continue', deadlineMs };
  }

  const endRun = async (runId: string, ending: RunEnding) =>
    afterRunFinished(dependencies, runId, await finishRun(db, runId, ending));

  return async (order) => {
    const contact = openContact({ runId: order.runId, notices: db.notices });
    const trail: Trail = { steps: [], at: order.step };
    try {
      return await takeTurns(order, contact, trail);
    } catch (error) {
      throw withSteps(failureOf(error), trail);
    } finally {
      contact.close();
    }
  };
}

/** A tool that is an activity of its own has the activity's span. */
const traced = <T>(name: string, use: () => Promise<T>): Promise<T> =>
  tracing?.active() ? inSpan(tracing, `UseTool:${name}`, {}, use) : use();

/**
 * Adds a step's record. A step that was done before brings all events since its beginning: those that the next one brings too stay with
 * that, so that the history gets each once.
 */
function addStep(steps: StepRecord[], record: StepRecord): void {
  const before = steps.at(-1);
  if (before) {
    const brought = new Set(record.events.map(({ sequence }) => sequence));
    before.events = before.events.filter(({ sequence }) => !brought.has(sequence));
  }
  steps.push(record);
}

/** Where the run is after a step of the model and its turn, with the calls of the model since the first of these turns. */
function placeAfter(step: number, turn: RunTurn, asked: number): ReusedSteps {
  const { reused } = turn;
  if (reused) return { ...reused, modelSteps: asked + reused.modelSteps };
  const lastStep = step + (turn.next === 'tools' ? turn.toolCalls.length : 0);
  return { modelStep: step, lastStep, modelSteps: asked + 1 };
}

const joined = (steps: StepRecord[], reused: ReusedSteps, turn: RunTurn): TurnsResult => ({
  meters: {},
  events: [],
  steps,
  ...turn,
  reused,
});

/** A failure that is not repeated, with the history's records of the steps before it. */
function withSteps(error: unknown, { steps, at }: Trail): unknown {
  if (!(error instanceof ApplicationFailure) || !error.nonRetryable || steps.length === 0) return error;
  const { message, type } = error;
  const failed: StepRecord = { step: at, meters: {}, events: [] };
  const details = [{ steps: [...steps, failed] }];
  return ApplicationFailure.create({ message, type: type ?? 'platform', nonRetryable: true, details });
}
