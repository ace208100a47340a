import type { RouteDoc } from '../http/documentedRoute.ts';
import {
  AgentMetrics,
  PublishedRunDetail,
  PublishedRunPage,
  PublishedStepPage,
  WholePublishedStep,
} from './runAnswers.ts';
import { MetricsQuery, PublishedRunsQuery, StepsQuery } from './runQueries.ts';

const TAG = 'Published runs';
const NO_CONTENT =
  'What callers send and get, the names of their files, and who they are, stay with them, unless a caller shares the run: ' +
  '`POST /v1/runs/{run_id}/share`.';

/** Documentation of what publishers see of the runs of their agents. */
export const publishedRunDocs = {
  list: {
    tag: TAG,
    summary: 'List the runs of an agent',
    description: `Runs that have ended, the last one first. ${NO_CONTENT}`,
    query: PublishedRunsQuery,
    answer: { id: 'PublishedRunPage', schema: PublishedRunPage },
  },
  retrieve: {
    tag: TAG,
    summary: 'Read a run of an agent',
    description: NO_CONTENT,
    answer: { id: 'PublishedRun', schema: PublishedRunDetail },
  },
  steps: {
    tag: TAG,
    summary: 'List the steps of an agent’s run',
    description:
      'Kinds, names, attempts, times, tokens and cost; with the beginning of their content where it is shared.',
    query: StepsQuery,
    answer: { id: 'PublishedStepPage', schema: PublishedStepPage },
  },
  step: {
    tag: TAG,
    summary: 'Read a step of an agent’s run',
    answer: { id: 'PublishedStep', schema: WholePublishedStep },
  },
  metrics: {
    tag: TAG,
    summary: 'Read how the runs of an agent end',
    description:
      'Numbers by status and error, durations, cost and refunds of the runs that ended in a range, in total, by version and over ' +
      'time. Without `from`: 30 days.',
    query: MetricsQuery,
    answer: { id: 'AgentMetrics', schema: AgentMetrics },
  },
} satisfies Record<string, RouteDoc>;
