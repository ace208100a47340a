import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { storableBeginning, storableJson, storableText } from '../../base/json.ts';
import { PluginNeedsCaller } from '../../db/plugins/plugins.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { modeOf } from '../../db/workspaces/mode.ts';
import { beginToolStep, type ToolBeginning } from '../../db/runs/steps/beginStep.ts';
import type { Cover } from '../../db/runs/steps/coverStep.ts';
import { type ThousandthsByMeter, ONE_CALL } from '../../db/runs/cost/runCost.ts';
import type { EventHead, NewEvent } from '../../db/events/appendEvents.ts';
import {
  type ToolStepResult,
  readStepRecord,
  isGraceful,
  readToolCall,
  type ToolCall,
} from '../../db/runs/steps/stepRecords.ts';
import { MESSAGE_CHARACTERS_MAX, type BegunStep, type StepRef } from '../../db/runs/stepFacts.ts';
import { finishStep, reportProgress, retriesOf, StepLost, type StepEnding } from '../../db/runs/steps/steps.ts';
import { type RunFile, saveRunFiles, readFileBytes, sessionFilesOf } from '../../db/sessions/saveRunFiles.ts';
import type { ToolCaller, ToolResult, ToolFiles } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { CANCEL_GRACE_MS, PROGRAM_MS_MAX } from '../../base/limits.ts';
import type { RunDependencies } from '../dependencies.ts';
import { refuseUnapproved } from './askCaller.ts';
import { openContact, type Contact } from './contact.ts';
import { createToolMemory, createToolState } from './stepData.ts';
import { failStep, failureOf, putOffAfterLosses } from './failures.ts';
import { endOfLimit } from './modelStepEnding.ts';
import { createProgressWriter, type ProgressWriter } from './progressWriter.ts';
import { stopOutcomeOf, watchActivity, type Watch } from './watchActivity.ts';

const GRACE_POLL_MS = 500;

const STOPPED = 'The tool was stopped.';

export interface ToolStepOrder extends StepRef {
  /** The model step that made the call. */
  modelStep: number;
  /** The run's deadline, in milliseconds since 1970. */
  deadlineMs: number;
}

/** The history's record of a tool step. */
export interface ToolStepDone {
  /**
   * Then the step is retried: `plugin` once a plugin has what it requires of the caller; `unpaid` once other steps have given back what
   * they do not use of the run's money, and if there is none, the run has reached its limit; `raise_limit`: the caller may raise that.
   */
  outcome: 'done' | 'timeout' | 'stopped' | 'plugin' | 'unpaid' | 'raise_limit';
  meters: ThousandthsByMeter;
  events: EventHead[];
}

/** The record of a step that the run cannot pay now. */
export const unpaidStep = (run: RunRow): ToolStepDone => ({
  outcome: endOfLimit('limit', run) ? 'unpaid' : 'raise_limit',
  meters: {},
  events: [],
});

/** The record of a step that does not begin now. Throws `StepLost` when its run has ended. */
export async function unbegunStep(
  pool: Pool,
  ref: StepRef,
  started: Exclude<ToolBeginning, { state: 'begun' }>,
): Promise<ToolStepDone> {
  if (started.state === 'unpaid') return unpaidStep(started.run);
  if (started.state === 'done') return { outcome: 'done', ...(await readStepRecord(pool, ref)) };
  if (started.state === 'cancelling') return { outcome: 'stopped', meters: {}, events: [] };
  throw new StepLost(`the run ${ref.runId} has ended`, { isOver: true });
}

/** An activity that runs one tool. */
export function createToolStep(dependencies: RunDependencies): (order: ToolStepOrder) => Promise<ToolStepDone> {
  const useTool = createUseTool(dependencies);
  return async (order) => {
    const contact = openContact({ runId: order.runId, notices: dependencies.db.notices });
    try {
      return await useTool(order, contact);
    } catch (error) {
      throw failureOf(error);
    } finally {
      contact.close();
    }
  };
}

/** Runs one tool that the model called, saves the files it wrote, and stores its result for the model. */
export function createUseTool(
  dependencies: RunDependencies,
): (order: ToolStepOrder, contact: Contact) => Promise<ToolStepDone> {
  const { db, models, openTools, retryDelayMaxMs } = dependencies;
  return async ({ runId, step, modelStep, deadlineMs }, contact) => {
    const call = await readToolCall(db.pool, { runId, modelStep, step });
    refuseUnapproved(call);
    const toolbox = await openTools(call.configuration, call.workspaceId).catch((error: unknown) => {
      if (error instanceof PluginNeedsCaller) return undefined;
      throw error;
    });
    if (!toolbox) return { outcome: 'plugin', meters: {}, events: [] };
    try {
      const kind = toolbox.kindOf(call.name);
      const { name, arguments: args, prices } = call;
      const started = await beginToolStep(db.pool, { runId, step, kind, name, arguments: args, prices });
      if (started.state !== 'begun') return await unbegunStep(db.pool, { runId, step }, started);
      const { begun, run, events, cover = { programMs: PROGRAM_MS_MAX } } = started;
      const mayStop = (ended: AbortSignal) => graceOf(db.pool, runId, ended);
      const watch = watchActivity({ contact, progress: () => ({ step }), mayStop });
      watch.stopAfter(deadlineMs - run.real_at.getTime());
      try {
        if (begun.attempt > 1) putOffAfterLosses(begun.attempt, await retriesOf(db.pool, begun));
        const pictureTypes = models.runningModelOf(call.configuration)?.inputMediaTypes ?? [];
        const progress = createProgressWriter(begun, {
          write: (event) => reportProgress(db.pool, begun, { events: [event], quantities: {} }),
        });
        const using = { rows: db.write(call.workspaceId), call, begun, watch, pictureTypes, progress, cover };
        const ending = await use(toolbox, using);
        const outcome = watch.signal.aborted ? stopOutcomeOf(watch) : 'done';
        // Before the end, whose events are not among the earlier ones.
        const earlierEvents = begun.attempt === 1 ? events : (await readStepRecord(db.pool, begun)).events;
        const ended = await finishStep(db.pool, begun, ending);
        return { outcome, meters: ending.quantities, events: [...earlierEvents, ...ended.events] };
      } catch (error) {
        throw await failStep({ pool: db.pool, retryDelayMaxMs }, { begun, watch, error, hasSpoken: false });
      } finally {
        watch.end();
      }
    } finally {
      await toolbox.close();
    }
  };
}

// After a graceful cancellation the caller may still request an immediate one.
async function graceOf(pool: RunDependencies['db']['pool'], runId: string, ended: AbortSignal): Promise<void> {
  const endMs = performance.now() + CANCEL_GRACE_MS;
  while (performance.now() < endMs && (await isGraceful(pool, runId)))
    await sleep(GRACE_POLL_MS, undefined, { signal: ended });
}

interface Use {
  rows: Rows;
  call: ToolCall;
  begun: BegunStep;
  watch: Watch;
  pictureTypes: readonly string[];
  progress: ProgressWriter;
  cover: Cover;
}

async function use(toolbox: Toolbox, using: Use): Promise<StepEnding> {
  const { rows, call, begun, watch, pictureTypes, progress, cover } = using;
  const { programMs } = cover;
  const { files, written, fileIdOf } = createToolFiles(rows, call.sessionId);
  const startedMs = performance.now();
  let result: ToolResult;
  try {
    const signal = AbortSignal.any([watch.signal, progress.failed]);
    const onProgress = progress.add;
    const data = { state: createToolState({ rows, call, begun }), memory: createToolMemory({ rows, call, begun }) };
    const context = { files, ...data, caller: callerOf(call, begun), onProgress, pictureTypes, programMs, signal };
    try {
      const used = await toolbox.run(call.name, call.arguments, context);
      // The end of a program takes a moment, which the run does not pay.
      result = { ...used, sandboxMs: Math.min(used.sandboxMs, programMs) };
    } finally {
      await progress.end();
    }
  } catch (error) {
    if (!watch.signal.aborted) throw error;
    const sandboxMs = begun.kind === 'sandbox' ? Math.min(performance.now() - startedMs, programMs) : 0;
    const reason = stopOutcomeOf(watch) === 'timeout' ? 'timeout' : 'cancelled';
    return { ...stepEndingOf({ text: STOPPED, isError: true, sandboxMs }, []), failure: { reason, message: STOPPED } };
  }
  // Before its files are stored.
  if (watch.signal.aborted) stopOutcomeOf(watch);
  const save = { sessionId: call.sessionId, runId: begun.runId, stepId: begun.id };
  const pictureId = result.picture && (await fileIdOf(result.picture));
  if (written().length === 0) return stepEndingOf(result, [], pictureId);
  const saved = await saveRunFiles(rows, { ...save, files: written() });
  if (saved.outcome === 'saved') return stepEndingOf(result, saved.files);
  return stepEndingOf({ ...result, text: `The files were not saved: ${saved.error.message}`, isError: true }, []);
}

const callerOf = ({ agentId, agent, version, workspaceId }: ToolCall, { runId, id }: BegunStep): ToolCaller => ({
  runId,
  stepId: id,
  agentId,
  agent,
  version,
  mode: modeOf(workspaceId),
});

function stepEndingOf(
  { text, isError, sandboxMs, data, stateVersion }: ToolResult,
  saved: RunFile[],
  pictureId?: string,
): StepEnding {
  const returned = data === undefined ? [] : [{ type: 'output_data', data: storableJson(data) }];
  const files = saved.map(({ fileId, path, mediaType, sizeBytes }) => ({
    type: 'output_file',
    file_id: fileId,
    filename: path,
    media_type: mediaType,
    size_bytes: sizeBytes,
  }));
  return {
    state: 'completed',
    ...(isError && { failure: { reason: 'tool_error', message: storableBeginning(text, MESSAGE_CHARACTERS_MAX) } }),
    result: {
      text: storableText(text),
      isError,
      ...(pictureId && { pictureId }),
      ...(stateVersion !== undefined && { stateVersion }),
    } satisfies ToolStepResult,
    quantities: { ...ONE_CALL, ...(sandboxMs > 0 && { sandbox_seconds: Math.ceil(sandboxMs) }) },
    events: [
      ...returned.map((data): NewEvent => ({ type: 'run.output_data.done', data })),
      ...files.map((data): NewEvent => ({ type: 'run.output_file.created', data })),
    ],
    output: [...returned, ...files],
  };
}

interface WrittenFile {
  path: string;
  bytes: Uint8Array;
  mediaType: string;
}

/**
 * The session's files as one tool call sees them. Its writes are buffered here, readable by the same call, and saved by the caller in one
 * transaction after the tool has ended: a stopped or retried tool leaves no partial changes.
 */
export function createToolFiles(rows: Rows, sessionId: string) {
  const written = new Map<string, WrittenFile>();
  // Once per call: otherwise a search through thousands of files would list them for each file.
  let listing: Promise<RunFile[]> | undefined;
  const saved = () => (listing ??= sessionFilesOf(rows, sessionId));

  const files: ToolFiles = {
    list: async () => {
      const others = (await saved()).filter(({ path }) => !written.has(path));
      const own = [...written.values()].map(({ path, mediaType, bytes }) => ({
        path,
        mediaType,
        sizeBytes: bytes.length,
      }));
      return [...others, ...own];
    },
    read: async (path) => {
      const own = written.get(path);
      if (own) return own.bytes;
      const file = (await saved()).find((one) => one.path === path);
      return file && readFileBytes(rows, file.fileId);
    },
    write: async (file) => void written.set(file.path, file),
  };
  const fileIdOf = async (path: string) => (await saved()).find((file) => file.path === path)?.fileId;
  return { files, written: () => [...written.values()], fileIdOf };
}
