import { log } from '@temporalio/activity';
import { storableBeginning } from '../../base/json.ts';
import { beginToolStep } from '../../db/runs/steps/beginStep.ts';
import { requestCancel } from '../../db/runs/states/cancelRun.ts';
import { childRunIdOf, readRunRow, takeBack } from '../../db/runs/childRuns.ts';
import type { EventHead } from '../../db/events/appendEvents.ts';
import { isTerminal, spentNanosOf, type RunRow } from '../../db/runs/runRow.ts';
import { MESSAGE_CHARACTERS_MAX } from '../../db/runs/stepFacts.ts';
import { readStepRecord, readToolCall } from '../../db/runs/steps/stepRecords.ts';
import { findBegunStep, finishStep, type StepEnding } from '../../db/runs/steps/steps.ts';
import { CALL_AGENT_NAME } from '../../tools/tool.ts';
import { attachInputFiles } from '../../db/sessions/addEntries.ts';
import { StorageRefused } from '../../db/files/upload.ts';
import type { Transaction } from '../../db/postgres/rows.ts';
import type { RunDependencies } from '../dependencies.ts';
import { refuseUnapproved } from './askCaller.ts';
import { CallRefused, CallWaits, orderCalled } from './calledAgent.ts';
import { unbegunStep, unpaidStep, type ToolStepDone } from './toolStep.ts';
import { ONE_CALL } from '../../db/runs/cost/runCost.ts';

/** A call of an agent by a run's model. */
export interface ChildOrder {
  runId: string;
  step: number;
  /** The model step that made the call. */
  modelStep: number;
  /** The run's deadline, in milliseconds since 1970. */
  deadlineMs: number;
}

/** The run that a call has started, or the result of a refused call. */
export type ChildStarted =
  { childId: string; meters: object; events: EventHead[] } | (ToolStepDone & { childId?: undefined });

/** The activities of a run that calls another agent: start its run, take its result, cancel it. Each is idempotent. */
export function childRunActivities(dependencies: RunDependencies) {
  const { db, workflows } = dependencies;
  return {
    async startChildRun(order: ChildOrder): Promise<ChildStarted> {
      const { runId, step } = order;
      const call = await readToolCall(db.pool, order);
      refuseUnapproved(call);
      const { arguments: args, prices } = call;
      const begin = { runId, step, kind: 'tool', name: CALL_AGENT_NAME, arguments: args, prices } as const;
      const started = await beginToolStep(db.pool, begin);
      if (started.state !== 'begun') return unbegunStep(db.pool, order, started);
      const { begun, run, events } = started;
      const earlierEvents = begun.attempt === 1 ? events : (await readStepRecord(db.pool, order)).events;
      try {
        const child = await orderCalled(dependencies, { run, call, order });
        // If this fails, the sweep starts it.
        await workflows.start(child).catch((error: unknown) => log.warn('a child was not started', { error }));
        return { childId: child.id, meters: {}, events: earlierEvents };
      } catch (error) {
        if (error instanceof CallWaits) {
          const ended = await finishStep(db.pool, begun, WAITING);
          return { ...unpaidStep(run), events: [...earlierEvents, ...ended.events] };
        }
        if (!(error instanceof CallRefused)) throw error;
        const ended = await finishStep(db.pool, begun, endingOf({ text: error.message, isError: true }));
        return { outcome: 'done', meters: ONE_CALL, events: [...earlierEvents, ...ended.events] };
      }
    },

    /** The result of the ended child; null before its end. Its unspent money returns to the run. */
    async finishChildRun({ runId, step, deadlineMs }: ChildOrder): Promise<ToolStepDone | null> {
      const child = await readRunRow(db.pool, childRunIdOf(runId, step));
      if (!child || !isTerminal(child.status)) return null;
      const begun = await findBegunStep(db.pool, { runId, step });
      if (!begun) return { outcome: 'done', ...(await readStepRecord(db.pool, { runId, step })) };
      const ending = { ...endingOf(await resultOf(db, child)), childNanos: spentNanosOf(child) };
      let outcome: 'done' | 'timeout' = 'done';
      const ended = await finishStep(db.pool, begun, ending, (client, parent) => {
        if (parent.real_at.getTime() >= deadlineMs) outcome = 'timeout';
        return takeBack(client, db.ledger, { parent, child });
      });
      return { outcome, meters: ONE_CALL, events: ended.events };
    },

    async cancelChildRun({ runId, step }: ChildOrder): Promise<void> {
      const childId = childRunIdOf(runId, step);
      const child = await readRunRow(db.pool, childId);
      if (!child) return;
      const reason = 'The run that called this agent was cancelled.';
      const order = { workspaceId: child.workspace_id, runId: childId, mode: 'immediate', reason } as const;
      const { outcome } = await requestCancel(db, order);
      if (outcome === 'cancelling') await workflows.cancel(childId);
    },
  };
}

/** The step's next attempt begins when others have returned the run's money. */
const WAITING: StepEnding = {
  state: 'failed',
  failure: { reason: 'budget_held' },
  retryAfterMs: 0,
  result: null,
  quantities: {},
};
// Of what the model reads.
const TEXT_CHARACTERS_MAX = 65_536;

const endingOf = ({ text, isError }: { text: string; isError: boolean }): StepEnding => ({
  state: 'completed',
  ...(isError && { failure: { reason: 'tool_error', message: storableBeginning(text, MESSAGE_CHARACTERS_MAX) } }),
  result: { text, isError },
  quantities: ONE_CALL,
});

/** The model's text about an ended run, whose files are now in the session of the run that called it. */
async function resultOf(db: RunDependencies['db'], child: RunRow): Promise<{ text: string; isError: boolean }> {
  const output = child.output as { type: string; text?: string; filename?: string; file_id?: string; data?: object }[];
  const names = await handOver(db, child);
  const texts = output.map(
    ({ text, filename, file_id: id, data }) =>
      text ?? (filename ? `[File: ${names.get(id!) ?? filename}]` : JSON.stringify(data)),
  );
  const text = storableBeginning(texts.join('\n'), TEXT_CHARACTERS_MAX);
  if (child.status === 'completed') return { text, isError: false };
  return {
    text: `The agent ${child.agent} ended as ${child.status} (${child.status_reason ?? 'no reason'}). ${text}`.trim(),
    isError: true,
  };
}

/** Puts the files of a child into its parent's session. Returns their names there; none if the session refuses them. */
async function handOver(db: RunDependencies['db'], child: RunRow): Promise<Map<string, string>> {
  const output = child.output as { type: string; file_id?: string }[];
  const fileIds = output.flatMap(({ type, file_id: id }) => (type === 'output_file' && id ? [id] : []));
  const parent = fileIds.length > 0 && (await readRunRow(db.pool, child.parent_run_id!));
  if (!parent) return new Map();
  const attach = (tx: Transaction) => attachInputFiles(tx, { sessionId: parent.session_id, fileIds });
  try {
    const files = await db.write(child.workspace_id).transaction(attach);
    return new Map(files.map(({ fileId, name }) => [fileId, name]));
  } catch (error) {
    if (!(error instanceof StorageRefused)) throw error;
    return new Map();
  }
}
