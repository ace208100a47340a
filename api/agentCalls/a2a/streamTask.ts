import type { EventText } from '../../../db/events/readEvents.ts';
import { costSoFarOf, type CostSoFar } from '../../../db/runs/runObject.ts';
import { findRun, type RunRow } from '../../../db/runs/runRow.ts';
import { followCall } from '../followCall.ts';
import type { Context } from '../../context.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { closeSignal } from '../../http/onClose.ts';
import { dataEvent, EventStream, keepAlive } from '../../http/sse.ts';
import type { RunOutput } from '../../runs/runAnswers.ts';
import type { Services } from '../../services.ts';
import { tasksOf } from './operations.ts';
import { artifactIdOf, metadataOf, STATES, statusOf, type Task, textPart } from './task.ts';

/** How a binding wraps the items that it sends. */
export interface Wrapping {
  result(item: object): object;
  error(error: ReturnType<typeof asApiError>): object;
}

/**
 * Answers with a task and its changes as server-sent events, until it has ended or requires input. Earlier events are already part of the
 * task. A disconnected client leaves the task running.
 */
export async function streamTask(ctx: Context, services: Services, run: RunRow, wrap: Wrapping): Promise<void> {
  const out = new EventStream(ctx, '');
  const signal = closeSignal(ctx.res);
  const stopKeepAlive = keepAlive(ctx.res, () => out);
  const reader = createTaskReader(ctx, services, run);
  let last = '';
  try {
    const take = async (events: EventText[]) => {
      for (const event of events)
        for (const item of await reader.read(event)) await out.send(dataEvent(wrap.result(item)));
    };
    // Unless the client has just answered, the current state is not the end.
    await followCall(services, run, { keyId: ctx.state.key.keyId, signal, take });
  } catch (error) {
    ctx.state.log.error = error;
    last = dataEvent(wrap.error(asApiError(error, ctx.state.requestId)));
  } finally {
    stopKeepAlive();
    out.end(last);
  }
}

interface RunEvent {
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}

/** Reads a run's events as the items of a task's stream. `run` is the run as it was when the stream began. */
function createTaskReader(ctx: Context, services: Services, run: RunRow) {
  const { taskOf, artifactOf } = tasksOf(ctx, services);
  const place = { taskId: run.id, contextId: run.session_id };
  /** The number of complete outputs, and the text in progress. */
  let outputs = 0;
  let text = '';
  let item: unknown;

  /** The items of an event. Those up to `run` are in the task, which is the first item. */
  async function read({ json, sequence }: EventText): Promise<object[]> {
    const event = JSON.parse(json) as RunEvent;
    const items = await itemsOf(event, sequence > run.last_sequence);
    if (sequence === run.last_sequence) return [{ task: await snapshot() }];
    return sequence < run.last_sequence ? [] : items;
  }

  async function snapshot(): Promise<Task> {
    const task = await taskOf(run);
    if (text === '') return task;
    const begun = { artifactId: artifactIdOf(outputs), name: 'text', parts: [textPart(text)] };
    // The run may already contain a part of it.
    return { ...task, artifacts: [...(task.artifacts ?? []).slice(0, outputs), begun] };
  }

  async function itemsOf({ type, data, created_at: timestamp }: RunEvent, isNew: boolean): Promise<object[]> {
    switch (type) {
      case 'run.output_text.delta':
        return [delta(data.item_id, data.delta as string, data.offset as number)];
      case 'run.output_text.done':
        return [textDone(data.text as string)];
      case 'run.output_file.created':
      case 'run.output_data.done':
        return isNew ? [await outputDone({ type: OUTPUT_TYPES[type], ...data } as RunOutput)] : counted();
      case 'run.in_progress':
        return [update({ state: STATES.in_progress, timestamp })];
      case 'run.step.started':
        return [update({ state: STATES.in_progress, timestamp }, { step: data.name, kind: data.kind })];
      case 'run.usage.updated':
        return [
          update({ state: STATES.in_progress, timestamp }, { cost_usd: costSoFarOf(data as typeof data & CostSoFar) }),
        ];
      case 'run.requires_action':
      case 'run.completed':
      case 'run.limit_reached':
      case 'run.cancelled':
      case 'run.failed':
        return isNew ? [await end()] : [];
      default:
        return [];
    }
  }

  const update = (status: object, metadata?: object) => ({
    statusUpdate: { ...place, status, ...(metadata && { metadata }) },
  });

  const artifact = (value: object, { append, lastChunk }: { append: boolean; lastChunk: boolean }) => ({
    artifactUpdate: { ...place, artifact: value, append, lastChunk },
  });

  // A retry of a step writes its text again: its first piece replaces the artifact and repeats the text of earlier steps.
  function delta(itemId: unknown, piece: string, offset: number): object {
    const before = itemId === item ? text.slice(0, offset) : '';
    const append = before !== '' && before === text;
    item = itemId;
    text = before + piece;
    return artifact(
      { artifactId: artifactIdOf(outputs), name: 'text', parts: [textPart(append ? piece : text)] },
      { append, lastChunk: false },
    );
  }

  function textDone(whole: string): object {
    const append = text === whole;
    const about = { artifactId: artifactIdOf(outputs++), name: 'text', parts: [textPart(append ? '' : whole)] };
    text = '';
    item = undefined;
    return artifact(about, { append, lastChunk: true });
  }

  async function outputDone(output: RunOutput): Promise<object> {
    return artifact(await artifactOf(output, outputs++), { append: false, lastChunk: true });
  }

  function counted(): object[] {
    outputs += 1;
    return [];
  }

  async function end(): Promise<object> {
    const current = (await findRun(services.db.read(run.workspace_id), run.id)) ?? run;
    return update(statusOf(current), metadataOf(current));
  }

  return { read };
}

const OUTPUT_TYPES = { 'run.output_file.created': 'output_file', 'run.output_data.done': 'output_data' } as const;
