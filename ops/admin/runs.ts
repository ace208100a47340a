import type { Payload, PayloadCodec } from '@temporalio/common';
import type { TemporalSettings } from '../../base/temporalSettings.ts';
import { rebuildRun, type RunRecord } from '../../db/runs/rebuildRun.ts';
import type { AdminCommand } from './command.ts';
import { withTemporal } from './temporal.ts';

export const rebuildRunCommand: AdminCommand = {
  words: 'runs rebuild',
  summary: 'Restores status, lifecycle events, meters and cost of a run from its workflow’s history, and settles it.',
  arguments: '<run-id>',
  async run({ db, config }, _options, names) {
    const runId = names[0]!;
    const record = await readRunRecord(config.temporal, runId).catch((error: Error) => {
      throw asUnknownRun(error, runId, config.temporal.namespace);
    });
    const report = await rebuildRun(db, runId, record);
    const { statusWas, status, events, usage } = report;
    return {
      text: `${runId}: ${statusWas} -> ${status}; ${events} events and ${usage} lines of cost were missing.`,
      json: { run_id: runId, status_was: statusWas, status, events, usage, meters: report.meters },
    };
  },
};

// gRPC's code for "not found".
const NOT_FOUND = 5;

function asUnknownRun(error: Error & { code?: unknown }, runId: string, namespace: string): Error {
  if (error.code !== NOT_FOUND) return error;
  return new Error(`Temporal's namespace ${namespace} has no (whole) history of a run ${runId}.`, { cause: error });
}

type Payloads = { payloads?: Payload[] | null } | null | undefined;

/** Arguments and results of a run's activities: see `StepOrder`, `ModelStepResult` and `RunResult`. */
interface ActivityPayload {
  step?: number;
  events?: RunRecord['events'];
  meters?: Record<string, number>;
  /** Of an activity with several steps: see `TurnsResult`. */
  steps?: RunRecord['steps'];
  status?: string;
  subtotalNanos?: string;
  networkFeeNanos?: string;
  absorbedNanos?: string;
  /** A step that ended its run also has the run's result. */
  result?: ActivityPayload;
}

/** Reads the histories of a run's workflow. Throws when Temporal has no such workflow. */
async function readRunRecord(settings: TemporalSettings, runId: string): Promise<RunRecord> {
  const record: RunRecord = { events: [], steps: [], result: null };
  const codecs = settings.dataConverter?.payloadCodecs ?? [];
  for (const history of await readHistories(settings, runId)) await addTo(record, history, codecs);
  return record;
}

/** The histories in their order: a workflow with a long history continues in a new one. Throws when Temporal lacks one of them. */
function readHistories(settings: TemporalSettings, runId: string): Promise<HistoryEvent[][]> {
  return withTemporal(settings, async ({ workflow }) => {
    const histories: HistoryEvent[][] = [];
    for (let temporalRunId: string | undefined; ;) {
      const { events } = await workflow.getHandle(runId, temporalRunId).fetchHistory();
      histories.unshift(events ?? []);
      temporalRunId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
      if (temporalRunId === undefined) return histories;
    }
  });
}

/** The end of an activity, and its type. */
interface Ended {
  scheduledEventId?: { toString(): string } | null;
}

interface Failure {
  applicationFailureInfo?: { details?: Payloads } | null;
}

/** The members of history events that are used here. */
interface HistoryEvent {
  eventId?: { toString(): string } | null;
  activityTaskScheduledEventAttributes?: { input?: Payloads } | null;
  activityTaskCompletedEventAttributes?: (Ended & { result?: Payloads }) | null;
  activityTaskFailedEventAttributes?: (Ended & { failure?: Failure | null }) | null;
  activityTaskTimedOutEventAttributes?: Ended | null;
  markerRecordedEventAttributes?: { markerName?: string | null; details?: Record<string, Payloads> | null } | null;
}

async function addTo(record: RunRecord, history: HistoryEvent[], codecs: PayloadCodec[]): Promise<void> {
  const stepOf = new Map<string, number>();
  const valueIn = async (payloads: Payloads): Promise<ActivityPayload | undefined> => {
    const [payload] = payloads?.payloads ?? [];
    return payload ? valueOf(await decoded(payload, codecs)) : undefined;
  };
  for (const event of history) {
    const { activityTaskScheduledEventAttributes: scheduled, activityTaskCompletedEventAttributes: completed } = event;
    if (scheduled) stepOf.set(String(event.eventId), (await valueIn(scheduled.input))?.step ?? 0);
    const { activityTaskFailedEventAttributes: failed } = event;
    const ended = completed ?? failed ?? event.activityTaskTimedOutEventAttributes;
    const told = completed?.result ?? failed?.failure?.applicationFailureInfo?.details;
    if (ended) addSteps(record, stepOf.get(String(ended.scheduledEventId)) ?? 0, await valueIn(told));
    const marker = event.markerRecordedEventAttributes;
    if (marker?.markerName === 'core_local_activity') addMove(record, await valueIn(marker.details?.result));
  }
}

/** The steps of an activity that began with this one. */
function addSteps(record: RunRecord, step: number, payload: ActivityPayload | undefined): void {
  const done = payload?.steps ?? [{ step, meters: payload?.meters ?? {}, events: payload?.events ?? [] }];
  record.steps.push(...done);
  addMove(record, payload?.result);
}

// Activities that run in the worker itself: they pause, resume and end the run.
function addMove(record: RunRecord, payload: ActivityPayload | undefined): void {
  record.events.push(...(payload?.events ?? []));
  if (payload?.status === undefined) return;
  record.result = {
    status: payload.status,
    meters: payload.meters ?? {},
    subtotalNanos: BigInt(payload.subtotalNanos ?? 0),
    networkFeeNanos: BigInt(payload.networkFeeNanos ?? 0),
    absorbedNanos: BigInt(payload.absorbedNanos ?? 0),
  };
}

async function decoded(payload: Payload, codecs: PayloadCodec[]): Promise<Payload> {
  let current = payload;
  for (const codec of codecs.toReversed()) [current = payload] = await codec.decode([current]);
  return current;
}

// An activity without a result has a payload without data.
const valueOf = ({ data }: Payload): ActivityPayload | undefined =>
  data?.length ? (JSON.parse(Buffer.from(data).toString()) as ActivityPayload) : undefined;
