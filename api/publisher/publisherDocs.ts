import * as headers from '../http/documentedHeaders.ts';
import { FILE_CONTENT } from '../files/fileDocs.ts';
import { EventObject } from '../runs/runDocs.ts';
import { Run } from '../runs/runAnswers.ts';
import { type RouteDoc, pageOf } from '../http/documentedRoute.ts';
import {
  AgentVersion,
  CallerFeedback,
  Deployment,
  DeploymentComment,
  Namespace,
  PayoutAnswer,
  PublisherAgentAnswer,
  Statement,
  VersionDiff,
  Configuration,
} from './publisherAnswers.ts';
import { TrialList } from './trials.ts';
import { TestRunOrder } from '../runs/runSchema.ts';
import {
  AgentListQuery,
  CommentBody,
  DraftBody,
  NamespaceBody,
  NewAgentBody,
  PayoutBody,
  PayoutQuery,
  RollbackBody,
  StatementQuery,
  TestReviewBody,
} from './publisherSchema.ts';
import { RolloutPlanBody } from './rolloutPlan.ts';

const TAG = 'Publishing';
const agent = { id: 'PublisherAgent', schema: PublisherAgentAnswer };
const deployment = { id: 'Deployment', schema: Deployment };
const DRAFT_ETAG = 'The ETag is that of the draft: `"draft-<revision>"`.';

/** Documentation of publishing. */
export const publisherDocs = () => ({
  ...draftDocs(),
  ...versionDocs(),
  ...deploymentDocs(),
  ...providerDocs(),
});

function draftDocs() {
  return {
    createAgent: {
      tag: TAG,
      summary: 'Create an agent',
      description: `A namespace belongs to the first workspace that uses it. The draft may be incomplete. ${DRAFT_ETAG}`,
      input: { id: 'NewAgent', schema: NewAgentBody, example: { namespace: 'acme', slug: 'poet', name: 'Poet' } },
      headers: headers.ONCE,
      answer: agent,
      answerHeaders: headers.ETAG,
      statuses: [201],
    },
    listPublisherAgents: {
      tag: TAG,
      summary: 'List the agents of the workspace',
      description: 'Newest first.',
      query: AgentListQuery,
      answer: { id: 'PublisherAgentPage', schema: pageOf(PublisherAgentAnswer) },
    },
    retrievePublisherAgent: {
      tag: TAG,
      summary: 'Read an agent of the workspace',
      description: DRAFT_ETAG,
      answer: agent,
      answerHeaders: headers.ETAG,
    },
    listFeedback: {
      tag: TAG,
      summary: 'Read what callers said about an agent',
      description: 'Their feedback on runs, newest first: outcome, reason, source and version, without who they are.',
      query: AgentListQuery,
      answer: { id: 'AgentFeedbackPage', schema: pageOf(CallerFeedback) },
    },
    retrieveDraft: {
      tag: TAG,
      summary: 'Read a draft',
      description: DRAFT_ETAG,
      answer: { id: 'Configuration', schema: Configuration },
      answerHeaders: headers.ETAG,
    },
    patchDraft: {
      tag: TAG,
      summary: 'Change a draft',
      description: 'Members that are sent replace those that were there. `If-Match` names the draft that was seen.',
      input: { id: 'DraftChange', schema: DraftBody, example: { instructions: 'Write one verse of four lines.' } },
      headers: headers.IF_DRAFT,
      answer: agent,
      answerHeaders: headers.ETAG,
    },
    createTestRun: {
      tag: TAG,
      summary: 'Run a draft',
      description:
        'The workspace pays what the platform charges for the model and the sandbox, up to the draft’s `maximum_cost_usd`. The draft becomes a ' +
        'version, unless the newest version is that draft. The run has the source `test`, and counts in no public statistic.',
      input: {
        id: 'TestRunOrder',
        schema: TestRunOrder,
        example: { input: [{ type: 'input_data', data: { city: 'Ulm' } }] },
      },
      headers: headers.ONCE_OR_WAIT,
      answer: { id: 'Run', schema: Run },
      answerHeaders: headers.RUN,
      statuses: [200, 202],
      stream: { when: 'The run, or with `stream` its events.', event: EventObject },
      errors: [402, 404],
    },
  } satisfies Record<string, RouteDoc>;
}

function versionDocs() {
  return {
    listVersions: {
      tag: TAG,
      summary: 'List the versions of an agent',
      query: AgentListQuery,
      answer: { id: 'AgentVersionPage', schema: pageOf(AgentVersion) },
    },
    retrieveVersion: {
      tag: TAG,
      summary: 'Read a version',
      description: 'A version never changes.',
      answer: { id: 'AgentVersion', schema: AgentVersion },
    },
    diffVersions: {
      tag: TAG,
      summary: 'Compare two versions',
      answer: { id: 'AgentVersionDiff', schema: VersionDiff },
    },
  } satisfies Record<string, RouteDoc>;
}

function deploymentDocs() {
  return {
    deployPrivate: {
      tag: TAG,
      summary: 'Use the draft in the own workspace',
      description: 'Freezes it into a new version that runs with `visibility: private`, without a review.',
      headers: headers.ONCE_IF_STILL_DRAFT,
      answer: deployment,
      errors: [409],
    },
    submitPublic: {
      tag: TAG,
      summary: 'Submit the draft for public review',
      description:
        'Freezes the draft that `If-Match` names into a new version and starts its review. What is public stays so until the version is approved. In a test workspace, `x-test-review` is the outcome, or `wait`, and what is approved is public for that workspace alone.',
      headers: headers.SUBMISSION,
      answer: deployment,
      errors: [409],
    },
    rollbackAgent: {
      tag: TAG,
      summary: 'Make a former version public again',
      input: { id: 'Rollback', schema: RollbackBody, example: { version_id: 'aver_1' } },
      headers: headers.ONCE,
      answer: deployment,
    },
    retrieveDeployment: { tag: TAG, summary: 'Read a deployment', answer: deployment },
    ...ROLLOUT,
    planRollout: { tag: TAG, ...ROLLOUT_PLAN, answer: deployment },
    withdrawDeployment: {
      tag: TAG,
      summary: 'Withdraw a submission',
      description:
        'Bills its trials to the workspace, as an `adjustment`: 402 `insufficient_balance` when the balance does not cover them. A submission that is decided costs nothing.',
      headers: headers.ONCE,
      answer: deployment,
      errors: [402],
    },
    decideTestReview: {
      tag: TAG,
      summary: 'End a review of a test workspace',
      description: 'In the place of an operator, for a submission whose `x-test-review` was `wait`.',
      input: { id: 'TestReview', schema: TestReviewBody, example: { outcome: 'approve' } },
      headers: headers.ONCE,
      answer: deployment,
    },
    listTrials: {
      tag: TAG,
      summary: 'Read the trials of a submission',
      description:
        'The review runs each example prompt with the submitted version and, beside it, with the public one: answer, files, steps, cost and duration of both. The platform pays for them, unless the submission is withdrawn.',
      answer: TrialList,
    },
    retrieveTrialFile: { tag: TAG, summary: 'Read a file that a trial has written', ...FILE_CONTENT },
    commentOnDeployment: {
      tag: TAG,
      summary: 'Comment on a submission',
      input: { id: 'NewComment', schema: CommentBody, example: { message: 'The second example needs a file.' } },
      headers: headers.ONCE,
      answer: { id: 'DeploymentComment', schema: DeploymentComment },
      statuses: [201],
    },
    listComments: {
      tag: TAG,
      summary: 'List the comments on a submission',
      answer: { id: 'DeploymentCommentPage', schema: pageOf(DeploymentComment) },
    },
  } satisfies Record<string, RouteDoc>;
}

function providerDocs() {
  return {
    retrieveStatement: {
      tag: TAG,
      summary: 'Read what the agents earned and were paid in a month',
      description:
        'By day, agent and version, apart for callers and the own workspace, with the payouts and what is owed; with `format=csv` as a table, in which each row has what is owed after it, and `own` marks own runs. Its sums are those of the ledger, to the nano-dollar.',
      query: StatementQuery,
      answer: Statement,
      alsoAs: ['text/csv'],
      answerHeaders: headers.NAMED,
    },
    createPayout: {
      tag: TAG,
      summary: 'Pay out earnings',
      description:
        'To the workspace’s own prepaid balance at once, or as a transfer that an operator makes outside of the platform. Earnings mature for `mature_days` of the statement; a transfer leaves what a negative balance lacks. 409 `earnings_too_small` when what may be paid out now does not cover it, and `live_mode_only` in a test workspace.',
      input: { id: 'PayoutOrder', schema: PayoutBody, example: { amount_usd: 25, to: 'balance' } },
      headers: headers.ONCE,
      answer: { id: 'Payout', schema: PayoutAnswer },
      statuses: [201],
    },
    listPayouts: {
      tag: TAG,
      summary: 'List the payouts of the workspace',
      description: 'Newest first.',
      query: PayoutQuery,
      answer: { id: 'PayoutPage', schema: pageOf(PayoutAnswer) },
    },
    retrieveNamespace: {
      tag: TAG,
      summary: 'Read a namespace of the workspace',
      description: 'What its agents show as their `provider`.',
      answer: Namespace,
    },
    patchNamespace: {
      tag: TAG,
      summary: 'Change what agents show of their provider',
      description: 'An earlier verification by an operator is reset.',
      input: {
        id: 'NamespaceChange',
        schema: NamespaceBody,
        example: { provider_name: 'Acme', website: 'https://acme.example' },
      },
      answer: Namespace,
    },
  } satisfies Record<string, RouteDoc>;
}

/** The effect of a rollout plan, for publishers and operators. */
export const ROLLOUT_PLAN = {
  summary: 'Plan the steps of a rollout',
  description:
    'Of a submission, for its approval, unless the operator names others; of an open rollout the steps that have not begun. Each takes a larger share of new sessions, and needs its least number of finished runs and its least time. 409 `deployment_state` when there is nothing to plan.',
  input: {
    id: 'RolloutPlan',
    schema: RolloutPlanBody,
    example: { steps: [{ percentage: 5, runs_min: 50, hours_min: 2 }, { percentage: 100 }] },
  },
  headers: headers.ONCE,
} satisfies Partial<RouteDoc>;

const ROLLOUT = {
  promoteDeployment: {
    tag: TAG,
    summary: 'Make a version that is rolled out the default',
    description:
      '409 `deployment_state` when it is not rolled out, `notice_period` for a more expensive version whose notice is not over.',
    headers: headers.ONCE,
    answer: deployment,
  },
  rollBackDeployment: {
    tag: TAG,
    summary: 'Take back a version that is rolled out',
    description: 'Runs that name no version get the former one. Callers may still name this one.',
    headers: headers.ONCE,
    answer: deployment,
  },
} satisfies Record<string, RouteDoc>;
