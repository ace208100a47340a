import type { z } from 'zod';
import type { RouteDoc } from './documentedRoute.ts';
import * as headers from './requestHeaders.ts';
import {
  AgentCard,
  AgentQuality,
  AgentVersion,
  Deployment,
  DeploymentComment,
  Namespace,
  PublicAgent,
  PublisherAgent,
  Statement,
  VersionDiff,
  Configuration,
  pageOf,
} from './publisherAnswers.ts';

const tag = 'Publishing';
const catalogue = 'Agents';
const agent = { id: 'PublisherAgent', schema: PublisherAgent };
const deployment = { id: 'Deployment', schema: Deployment };
const DRAFT_ETAG = 'The ETag is that of the draft: `"draft-<revision>"`.';

/** The schemas that check what publishers send. */
interface Inputs {
  newAgent: z.ZodType;
  draft: z.ZodType;
  agentList: z.ZodObject;
  rollback: z.ZodType;
  comment: z.ZodType;
  publicList: z.ZodObject;
  statement: z.ZodObject;
  namespace: z.ZodType;
}

/** What callers and publishers are told about agents. */
export const publisherDocs = (inputs: Inputs) => ({
  ...catalogueDocs(inputs),
  ...draftDocs(inputs),
  ...versionDocs(inputs),
  ...deploymentDocs(inputs),
  ...providerDocs(inputs),
});

function catalogueDocs(inputs: Inputs) {
  return {
    listAgents: {
      tag: catalogue,
      summary: 'Find agents',
      description:
        'Those that everybody may run: by words in name and description, category and what one run may cost.',
      query: inputs.publicList,
      answer: pageOf('AgentPage', PublicAgent),
      errors: [422],
    },
    retrieveAgent: {
      tag: catalogue,
      summary: 'Read an agent',
      description: 'Its published version, what it takes and gives, its prices and what happens with data.',
      answer: { id: 'Agent', schema: PublicAgent },
      errors: [404, 422],
    },
    retrieveAgentQuality: {
      tag: catalogue,
      summary: 'Read how an agent has done',
      description: 'From the runs of the last thirty days that have ended.',
      answer: AgentQuality,
      errors: [404, 422],
    },
    retrieveAgentCard: {
      tag: catalogue,
      summary: 'Read an agent’s A2A card',
      description: 'The AgentCard of the A2A protocol, version 1.0: for agents that look for others to work with.',
      answer: AgentCard,
      errors: [404, 422],
    },
  } satisfies Record<string, RouteDoc>;
}

function draftDocs(inputs: Inputs) {
  return {
    createAgent: {
      tag,
      summary: 'Create an agent',
      description: `A namespace belongs to the first workspace that uses it. The draft may be incomplete. ${DRAFT_ETAG}`,
      input: { id: 'NewAgent', schema: inputs.newAgent, example: { namespace: 'acme', slug: 'poet', name: 'Poet' } },
      headers: headers.ONCE,
      answer: agent,
      statuses: [201],
      errors: [403, 409, 422],
    },
    listPublisherAgents: {
      tag,
      summary: 'List the agents of the workspace',
      description: 'Newest first.',
      query: inputs.agentList,
      answer: pageOf('PublisherAgentPage', PublisherAgent),
      errors: [403, 422],
    },
    retrievePublisherAgent: {
      tag,
      summary: 'Read an agent of the workspace',
      description: DRAFT_ETAG,
      answer: agent,
      errors: [403, 404, 422],
    },
    retrieveDraft: {
      tag,
      summary: 'Read a draft',
      description: DRAFT_ETAG,
      answer: { id: 'Configuration', schema: Configuration },
      errors: [403, 404, 422],
    },
    patchDraft: {
      tag,
      summary: 'Change a draft',
      description: 'Members that are sent replace those that were there. `If-Match` names the draft that was seen.',
      input: { id: 'DraftChange', schema: inputs.draft, example: { instructions: 'Write one verse of four lines.' } },
      headers: headers.IF_DRAFT,
      answer: agent,
      errors: [403, 404, 412, 422, 428],
    },
  } satisfies Record<string, RouteDoc>;
}

function versionDocs(inputs: Inputs) {
  return {
    listVersions: {
      tag,
      summary: 'List the versions of an agent',
      query: inputs.agentList,
      answer: pageOf('AgentVersionPage', AgentVersion),
      errors: [403, 404, 422],
    },
    retrieveVersion: {
      tag,
      summary: 'Read a version',
      description: 'A version never changes.',
      answer: { id: 'AgentVersion', schema: AgentVersion },
      errors: [403, 404, 422],
    },
    diffVersions: {
      tag,
      summary: 'Compare two versions',
      answer: { id: 'AgentVersionDiff', schema: VersionDiff },
      errors: [403, 404, 422],
    },
  } satisfies Record<string, RouteDoc>;
}

function deploymentDocs(inputs: Inputs) {
  return {
    deployPrivate: {
      tag,
      summary: 'Use the draft in the own workspace',
      description: 'Freezes it into a new version that runs with `visibility: private`, without a review.',
      headers: headers.ONCE_IF_STILL_DRAFT,
      answer: deployment,
      errors: [403, 404, 409, 412, 422],
    },
    submitPublic: {
      tag,
      summary: 'Submit the draft for public review',
      description:
        'Freezes the draft that `If-Match` names into a new version and starts its review. What is public stays so until the version is approved.',
      headers: headers.ONCE_IF_DRAFT,
      answer: deployment,
      errors: [403, 404, 409, 412, 422, 428],
    },
    rollbackAgent: {
      tag,
      summary: 'Make a former version public again',
      input: { id: 'Rollback', schema: inputs.rollback, example: { version_id: 'aver_1' } },
      headers: headers.ONCE,
      answer: deployment,
      errors: [403, 404, 409, 422],
    },
    retrieveDeployment: { tag, summary: 'Read a deployment', answer: deployment, errors: [403, 404, 422] },
    withdrawDeployment: {
      tag,
      summary: 'Withdraw a submission',
      headers: headers.ONCE,
      answer: deployment,
      errors: [403, 404, 409, 422],
    },
    commentOnDeployment: {
      tag,
      summary: 'Tell the reviewers something',
      input: { id: 'NewComment', schema: inputs.comment, example: { message: 'The second example needs a file.' } },
      headers: headers.ONCE,
      answer: { id: 'DeploymentComment', schema: DeploymentComment },
      statuses: [201],
      errors: [403, 404, 409, 422],
    },
    listComments: {
      tag,
      summary: 'Read what was said about a submission',
      answer: pageOf('DeploymentCommentPage', DeploymentComment),
      errors: [403, 404, 422],
    },
  } satisfies Record<string, RouteDoc>;
}

function providerDocs(inputs: Inputs) {
  return {
    retrieveStatement: {
      tag,
      summary: 'Read what the agents earned in a month',
      description: 'By day, agent and version; with `format=csv` as a table. Its sums are those of the ledger.',
      query: inputs.statement,
      answer: Statement,
      errors: [403, 422],
    },
    retrieveNamespace: {
      tag,
      summary: 'Read a namespace of the workspace',
      description: 'What its agents show as their `provider`.',
      answer: Namespace,
      errors: [403, 404, 422],
    },
    patchNamespace: {
      tag,
      summary: 'Change what agents show of their provider',
      description: 'What an operator had verified has to be verified anew.',
      input: {
        id: 'NamespaceChange',
        schema: inputs.namespace,
        example: { provider_name: 'Acme', website: 'https://acme.example' },
      },
      answer: Namespace,
      errors: [403, 404, 422],
    },
  } satisfies Record<string, RouteDoc>;
}
