import { z } from 'zod';
import { QUOTE_MINUTES } from '../../db/runs/cost/quotes.ts';
import { RETENTION_DAYS, RUN_WAIT_SECONDS_MAX } from '../../base/limits.ts';
import * as headers from '../http/documentedHeaders.ts';
import { type RouteDoc, type NamedSchema, pageOf } from '../http/documentedRoute.ts';
import { eventMembers, RunEvent } from './eventSchemas.ts';
import { RunComparison } from './compareRuns.ts';
import { FeedbackAnswer, Run, RunPage, RunTotals, WorkspaceUsage } from './runAnswers.ts';
import { Replay, ReplayOrder, ReplayQuote } from './replaySchema.ts';
import { RunQuote } from './quotes.ts';
import { StepPage, WholeStep } from './stepAnswers.ts';
import { pageQuery } from '../http/page.ts';
import { DeletedAnswer } from '../files/presentFile.ts';
import {
  CancelOrder,
  ComparisonQuery,
  EventsQuery,
  FeedbackOrder,
  RerunOrder,
  RunAnswer,
  RunListQuery,
  RunTotalsQuery,
  UsageQuery,
} from './runSchema.ts';
import { RunOrder } from '../../orders/order.ts';

const RUN = { id: 'Run', schema: Run };
const FEEDBACK = { id: 'RunFeedback', schema: FeedbackAnswer };

/** The query of a list of steps. */
export const stepQuery = z.strictObject(pageQuery);

/** Documentation of runs. */
export function runDocs() {
  return { ...readingDocs(), ...runActionDocs(), ...repetitionDocs(), ...replayDocs(), ...feedbackDocs() };
}

function readingDocs() {
  return {
    listRuns: {
      tag: 'Runs',
      summary: 'List the workspace’s runs',
      description: 'Newest first. Send `next_cursor` as `cursor` for the next page.',
      query: RunListQuery,
      answer: { id: 'RunPage', schema: RunPage },
    },
    runTotals: {
      tag: 'Runs',
      summary: 'Count the workspace’s runs, and sum up their cost',
      description: 'Of the same runs as the list has with the same filters.',
      query: RunTotalsQuery,
      answer: { id: 'RunTotals', schema: RunTotals },
    },
    retrieveRun: {
      tag: 'Runs',
      summary: 'Read a run',
      description: 'With the answer’s `ETag` in `If-None-Match`, a run that has not moved answers 304.',
      headers: headers.IF_CHANGED,
      answer: RUN,
      answerHeaders: headers.ETAG,
      statuses: [200, 304],
    },
    listRunSteps: {
      tag: 'Runs',
      summary: 'List the steps of a run',
      description:
        'In order: each call of the model, and each use of a tool, with its arguments, state, attempt, times, ' +
        'tokens, cost and the beginning ' +
        'of its result. A step that waits for its next attempt has `retry_at`.',
      query: stepQuery,
      answer: { id: 'RunStepPage', schema: StepPage },
    },
    retrieveRunStep: {
      tag: 'Runs',
      summary: 'Read a step of a run',
      description:
        'With its whole arguments and result. The workspace that published the agent also sees the instructions of its model.',
      answer: { id: 'RunStep', schema: WholeStep },
    },
    deleteRun: {
      tag: 'Runs',
      summary: 'Delete a run that has ended',
      description:
        'Deletes its input, output, steps, events and feedback. Its bill stays, and so do the files of its ' +
        'session. Without this they are ' +
        `deleted ${RETENTION_DAYS} days after the run has ended; until then nothing is. A run that has not ended ` +
        'answers 409 `run_not_terminal`.',
      answer: { id: 'Deleted', schema: DeletedAnswer },
      errors: [409],
    },
    retrieveUsage: {
      tag: 'Runs',
      summary: 'Read what the workspace’s runs cost',
      query: UsageQuery,
      answer: { id: 'WorkspaceUsage', schema: WorkspaceUsage },
    },
  } satisfies Record<string, RouteDoc>;
}

function runActionDocs() {
  return {
    createRun: {
      tag: 'Runs',
      summary: 'Start a run of an agent',
      description:
        'Answers 202 with the run and where to follow it. With `Prefer: wait=30` it waits for the end, at most ' +
        `${RUN_WAIT_SECONDS_MAX} seconds, and answers 200 ` +
        'when it came; with `stream` it answers with the run’s events. The most that the run can cost is set aside until it ends. ' +
        'Send an `Idempotency-Key` to be able to try again without starting a second run.',
      input: {
        id: 'RunOrder',
        schema: RunOrder,
        example: { agent: 'ledgerline/writer', input: 'Write an announcement of our new opening hours.' },
      },
      answer: RUN,
      statuses: [200, 202],
      headers: headers.ONCE_OR_WAIT,
      answerHeaders: headers.RUN,
      stream: { when: 'The run, or with `stream` its events.', event: RunEvent },
      errors: [402, 404],
    },
    cancelRun: {
      tag: 'Runs',
      summary: 'Cancel a run',
      description:
        'A run that has not begun costs nothing; another one is billed for what it consumed. 202; 200 when it was cancelled before.',
      input: {
        id: 'RunCancellation',
        schema: CancelOrder,
        example: { reason: 'not needed any more' },
        isOptional: true,
      },
      headers: headers.ONCE,
      answer: RUN,
      statuses: [200, 202],
    },
    cancelSession: {
      tag: 'Runs',
      summary: 'Cancel every run of a session',
      description: '202 with the runs that had not ended.',
      input: { id: 'RunCancellation', schema: CancelOrder, example: {}, isOptional: true },
      headers: headers.ONCE,
      answer: { id: 'RunPage', schema: RunPage },
      statuses: [202],
    },
    inputRun: {
      tag: 'Runs',
      summary: 'Answer what a run waits for',
      description:
        'For a run in `requires_action`: a text or a form for its question, the decision about a tool’s call, or a higher limit so that ' +
        'it goes on. Several actions can be answered together, by `answers`, or one after the other; the run goes on when none is ' +
        'open. The same answer to the same `step_id` again changes nothing. A run that waits for what a plugin needs goes on when it ' +
        'is given: `required_action` has the way.',
      input: { id: 'RunAnswer', schema: RunAnswer, example: { type: 'raise_limit', max_cost_usd: 0.5 } },
      headers: headers.ONCE,
      answer: RUN,
      statuses: [202],
      errors: [402],
    },
  } satisfies Record<string, RouteDoc>;
}

const REPLAY_EXAMPLE = { agent: 'ledgerline/writer', fault: 'provider', from: '2026-11-01' };

function replayDocs() {
  return {
    quoteReplay: {
      tag: 'Reruns',
      summary: 'Ask what repeating failed runs will cost',
      description: 'Takes the body of `POST /v1/runs/replay`, and starts nothing.',
      input: { id: 'ReplayOrder', schema: ReplayOrder, example: REPLAY_EXAMPLE },
      answer: { id: 'ReplayQuote', schema: ReplayQuote },
    },
    replayRuns: {
      tag: 'Reruns',
      summary: 'Repeat failed runs',
      description:
        'Repeats ended runs that fit the filters from their start, the newest first, up to `limit` in one call: with their input, metadata, ' +
        'limits and webhook, at today’s price. Each run is repeated once, however often this is called: go on with `next_cursor` until ' +
        '`has_more` is false. Runs that other runs have started are repeated by those. Ask for a quote first.',
      input: { id: 'ReplayOrder', schema: ReplayOrder, example: REPLAY_EXAMPLE },
      answer: { id: 'Replay', schema: Replay },
      headers: headers.ONCE,
    },
  } satisfies Record<string, RouteDoc>;
}

function repetitionDocs() {
  return {
    compareRuns: {
      tag: 'Reruns',
      summary: 'Compare two runs',
      description:
        'The steps of both side by side, paired by model and tool: `same`, `changed`, or in one of them only. ' +
        'With their outputs, tokens, costs ' +
        'and times. For example a rerun beside the run that it repeats.',
      query: ComparisonQuery,
      answer: { id: 'RunComparison', schema: RunComparison },
    },
    quoteRun: {
      tag: 'Reruns',
      summary: 'Ask what a run will cost',
      description:
        'Takes the body of `POST /v1/runs`, and starts nothing. Answers half and nine tenths of what earlier ' +
        'runs would cost at today’s price, and ' +
        `the most that this one may cost. The price list holds for ${QUOTE_MINUTES} minutes: \`POST /v1/runs\` ` +
        'with the quote’s id as `quote_id` runs the ' +
        'same version at it, also when a more expensive one has gone live. Runs of other workspaces count only together ' +
        'with those of enough others.',
      input: {
        id: 'RunOrder',
        schema: RunOrder,
        example: { agent: 'ledgerline/writer', input: 'Write an announcement of our new opening hours.' },
      },
      answer: { id: 'RunQuote', schema: RunQuote },
      answerHeaders: headers.DEPRECATED,
      errors: [404, 409],
    },
    rerunRun: {
      tag: 'Reruns',
      summary: 'Run again from a step',
      description:
        'A new run that reuses the results of the steps before `from_step`, and runs the others anew, also with ' +
        'another input or version of the ' +
        'agent. Reused steps cost nothing, unless the repeated run failed and so was not billed: then the new ' +
        'run pays for them when it begins, ' +
        'shows them from then on, and needs a `max_cost_usd` above their cost, and no cheaper version. The run ' +
        'that is repeated must have ended; it stays as it is. The new run works in a copy of ' +
        'its session: the conversation before it, and the files with the contents that they had before that ' +
        'step, under their present names. ' +
        'A run that has not ended answers 409 `run_not_terminal`; one whose content or session was deleted, ' +
        '410 `content_deleted`. Otherwise as `POST /v1/runs`.',
      input: { id: 'RerunOrder', schema: RerunOrder, example: { from_step: 3 } },
      answer: RUN,
      statuses: [200, 202],
      headers: headers.ONCE_OR_WAIT,
      answerHeaders: headers.RUN,
      stream: { when: 'The run, or with `stream` its events.', event: RunEvent },
      errors: [402, 410],
    },
  } satisfies Record<string, RouteDoc>;
}

function feedbackDocs() {
  return {
    retrieveFeedback: {
      tag: 'Runs',
      summary: 'Read your feedback on a run',
      description: 'Null when there is none.',
      answer: FEEDBACK,
    },
    putFeedback: {
      tag: 'Runs',
      summary: 'Give feedback on a run',
      input: { id: 'FeedbackOrder', schema: FeedbackOrder, example: { outcome: 'complete', reason: 'Just right.' } },
      answer: FEEDBACK,
    },
    deleteFeedback: {
      tag: 'Runs',
      summary: 'Take your feedback back',
      answer: FEEDBACK,
      statuses: [204],
    },
  } satisfies Record<string, RouteDoc>;
}

/** An event of any kind: looked up by id, and in webhooks. */
export const EventObject: NamedSchema = {
  id: 'Event',
  schema: z.object({
    ...eventMembers,
    type: z.string().describe('For example `run.completed`. New types may come: ignore those you do not know.'),
    data: z.unknown().describe('The last event of a run holds the run.'),
  }),
};

const EventPage: NamedSchema = { id: 'EventPage', schema: pageOf(RunEvent.schema) };

/** Documentation of the events of runs. */
export const eventDocs = {
  listRunEvents: {
    tag: 'Run events',
    summary: 'Follow what happens in a run',
    description:
      'A stream of server-sent events until the run has ended: from the first one, or after the id in the header `Last-Event-ID` or in ' +
      '`starting_after`. A reader that has the last event already is answered 204. Closing the stream does not stop the run.',
    query: EventsQuery,
    headers: headers.RESUME,
    answer: EventPage,
    statuses: [200, 204],
    stream: { when: 'The events: a stream, or with `Accept: application/json` a list.', event: RunEvent },
    errors: [400, 410],
  },
} satisfies Record<string, RouteDoc>;
