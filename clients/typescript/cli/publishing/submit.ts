import type { Ledgerline } from '../../src/index.ts';
import { changedMembers, type Configuration } from '../agentFolder/members.ts';
import { Failure } from '../failure.ts';
import type { SentDraft } from './draft.ts';
import { readAgent, readVersion, type Deployment } from './ownAgents.ts';

/** A deployment of a folder's content, and whether it was there before. */
export interface Deployed {
  deployment: Deployment;
  isNew: boolean;
}

export interface SubmitOptions {
  /** Submits what a review has sent back, or rejected, once more. */
  again: boolean;
  /** Takes back the open submission of other content. */
  replace: boolean;
  /** The outcome that a test workspace wants. */
  testReview: string | undefined;
}

/** Deploys a draft in its own workspace, unless this content is deployed there. */
export async function deployPrivately(
  client: Ledgerline,
  { agent, etag, configuration }: SentDraft,
): Promise<Deployed> {
  const { private_deployment: live } = await readAgent(client, agent.id);
  if (live?.status === 'active' && (await hasContent(client, live, configuration)))
    return { deployment: live, isNew: false };
  const params = { path: { agent_id: agent.id }, header: { 'If-Match': etag } };
  const { data } = await client.api.POST('/v1/publisher/agents/{agent_id}/deploy-private', { params });
  return { deployment: data, isNew: true };
}

/** Submits a draft for review, unless this content is in review, was decided, or is public: then that deployment. */
export async function submitForReview(client: Ledgerline, sent: SentDraft, options: SubmitOptions): Promise<Deployed> {
  const { public_submission: submission, public_deployment: live } = await readAgent(client, sent.agent.id);
  if (submission && (await hasContent(client, submission, sent.configuration))) {
    const isSentBack = ['changes_requested', 'rejected'].includes(submission.status);
    if (!isSentBack || !options.again) return { deployment: submission, isNew: false };
  } else if (submission?.status === 'in_review') await withdraw(client, submission, options);
  else if (live && (await hasContent(client, live, sent.configuration))) return { deployment: live, isNew: false };
  const { data } = await client.api.POST('/v1/publisher/agents/{agent_id}/submit-public', {
    params: { path: { agent_id: sent.agent.id }, header: { 'If-Match': sent.etag } },
    ...(options.testReview && { headers: { 'x-test-review': options.testReview } }),
  });
  return { deployment: data, isNew: true };
}

async function withdraw(client: Ledgerline, { id }: Deployment, { replace }: SubmitOptions): Promise<void> {
  if (!replace)
    throw new Failure(`Another content of the agent is in review: ${id}.`, {
      hint: 'Wait for its outcome, or take it back with `--replace`: then you pay for its trials.',
    });
  const params = { path: { deployment_id: id } };
  await client.api.POST('/v1/publisher/deployments/{deployment_id}/withdraw', { params });
}

async function hasContent(client: Ledgerline, deployment: Deployment, configuration: Configuration): Promise<boolean> {
  const version = await readVersion(client, deployment.version_id);
  return changedMembers(version.configuration, configuration).length === 0;
}
