import type { z } from 'zod';
import { publisherDocs } from './publisherDocs.ts';
import { body } from '../body/body.ts';
import { LONG_TEXT_BODY } from '../../base/limits.ts';
import { ORDER_DATA } from '../../orders/order.ts';
import { idempotent } from '../guard/idempotency.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { parseBody, parseWith, query } from '../body/parseWith.ts';
import { sendFileContent } from '../files/fileContent.ts';
import { get, patch, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { createAgent, listAgents, listFeedback, patchDraft, retrieveAgent, retrieveDraft } from './agents.ts';
import {
  checkOwner,
  commentOnDeployment,
  deployPrivate,
  endRollout,
  planOwnRollout,
  listComments,
  retrieveDeployment,
  rollbackAgent,
  submitPublic,
  withdrawDeployment,
} from './deployments.ts';
import { EstimateBody, estimateDoc, estimateRun } from './estimate.ts';
import {
  AgentListQuery,
  CommentBody,
  DraftBody,
  NewAgentBody,
  RollbackBody,
  NamespaceBody,
  PayoutBody,
  PayoutQuery,
  TestReviewBody,
  StatementQuery,
} from './publisherSchema.ts';
import { httpToolRoutes } from './httpTools.ts';
import { patchNamespace, retrieveNamespace } from './namespaces.ts';
import { createPayout, listPayouts } from './payouts.ts';
import { retrieveStatement } from './statement.ts';
import { TestRunOrder } from '../runs/runSchema.ts';
import { decideTestReview } from './testReview.ts';
import { lifeRoutes } from './lifeRoutes.ts';
import { createTestRun } from './testRuns.ts';
import { directoryDocs, retrievePlugins, retrieveTools } from './toolDirectory.ts';
import { findTrialFile, listReviewTrials } from './trials.ts';
import { diffVersions, listVersions, retrieveVersion } from './versions.ts';
import { RolloutPlanBody } from './rolloutPlan.ts';

/** The publishers' routes. */
export function publisherRoutes(services: Services, keyed: Keyed): Route[] {
  const { db } = services;
  const publisher: Keyed = (...checks) => keyed(scope('publisher'), ...checks);
  const own = publisher();
  const ownList = publisher(query(AgentListQuery));
  const longBody = <S extends z.ZodType>(schema: S) => publisher(body(parseWith(schema, 'body'), LONG_TEXT_BODY));
  const testRun = [
    ...publisher(scope('agents'), body(parseBody(TestRunOrder), { ...LONG_TEXT_BODY, data: ORDER_DATA })),
    idempotent(db, 'run'),
  ];
  const about = publisherDocs();
  const agents = '/v1/publisher/agents';
  const agent = `${agents}/:agent_id`;
  const payouts = '/v1/publisher/payouts';
  const namespace = '/v1/publisher/namespaces/:name';
  return [
    get('/v1/publisher/tools', own, retrieveTools(services), directoryDocs.listTools),
    get('/v1/publisher/plugins', own, retrievePlugins(services), directoryDocs.listPlugins),
    post(agents, [...longBody(NewAgentBody), idempotent(db, 'agent')], createAgent(services), about.createAgent),
    get(agents, ownList, listAgents(services), about.listPublisherAgents),
    get(agent, own, retrieveAgent(services), about.retrievePublisherAgent),
    get(`${agent}/feedback`, ownList, listFeedback(services), about.listFeedback),
    get(`${agent}/draft`, own, retrieveDraft(services), about.retrieveDraft),
    patch(`${agent}/draft`, longBody(DraftBody), patchDraft(services), about.patchDraft),
    post(`${agent}/test-runs`, testRun, createTestRun(services), about.createTestRun),
    post(`${agent}/estimate`, longBody(EstimateBody), estimateRun(services), estimateDoc),
    get(`${agent}/versions`, ownList, listVersions(services), about.listVersions),
    get(`${agent}/versions/:a/diff/:b`, own, diffVersions(services), about.diffVersions),
    post(`${agent}/deploy-private`, own, deployPrivate(services), about.deployPrivate),
    post(`${agent}/submit-public`, own, submitPublic(services), about.submitPublic),
    post(
      `${agent}/rollback`,
      [...longBody(RollbackBody), idempotent(db, 'dep')],
      rollbackAgent(services),
      about.rollbackAgent,
    ),
    get(
      '/v1/publisher/statement',
      publisher(query(StatementQuery)),
      retrieveStatement(services),
      about.retrieveStatement,
    ),
    post(payouts, [...longBody(PayoutBody), idempotent(db, 'po')], createPayout(services), about.createPayout),
    get(payouts, publisher(query(PayoutQuery)), listPayouts(services), about.listPayouts),
    get(namespace, own, retrieveNamespace(services), about.retrieveNamespace),
    patch(namespace, longBody(NamespaceBody), patchNamespace(services), about.patchNamespace),
    get('/v1/publisher/agent-versions/:version_id', own, retrieveVersion(services), about.retrieveVersion),
    ...httpToolRoutes(services, publisher),
    ...lifeRoutes(services, publisher),
    ...deploymentRoutes(services, publisher, about),
  ];
}

/** The routes of one deployment. `publisher` guards each. */
function deploymentRoutes(services: Services, publisher: Keyed, about: ReturnType<typeof publisherDocs>): Route[] {
  const { db } = services;
  const own = publisher();
  const plan = publisher(body(parseWith(RolloutPlanBody, 'body')));
  const comment = publisher(body(parseWith(CommentBody, 'body'), LONG_TEXT_BODY));
  const trials = { check: checkOwner(services), kinds: ['example' as const] };
  const trialFile = sendFileContent(services, findTrialFile(services, trials));
  const deployment = '/v1/publisher/deployments/:deployment_id';
  return [
    get(deployment, own, retrieveDeployment(services), about.retrieveDeployment),
    post(
      `${deployment}/promote`,
      [...own, idempotent(db, 'dep')],
      endRollout(services, 'promote'),
      about.promoteDeployment,
    ),
    post(
      `${deployment}/roll-back`,
      [...own, idempotent(db, 'dep')],
      endRollout(services, 'roll_back'),
      about.rollBackDeployment,
    ),
    post(`${deployment}/rollout`, [...plan, idempotent(db, 'dep')], planOwnRollout(services), about.planRollout),
    post(
      `${deployment}/withdraw`,
      [...own, idempotent(db, 'dep')],
      withdrawDeployment(services),
      about.withdrawDeployment,
    ),
    post(
      `${deployment}/test_review`,
      [...publisher(body(parseBody(TestReviewBody))), idempotent(db, 'dep')],
      decideTestReview(services),
      about.decideTestReview,
    ),
    get(`${deployment}/trials`, own, listReviewTrials(services, trials), about.listTrials),
    get(`${deployment}/trials/files/:file_id/content`, own, trialFile, about.retrieveTrialFile),
    get(`${deployment}/comments`, own, listComments(services), about.listComments),
    post(
      `${deployment}/comments`,
      [...comment, idempotent(db, 'cmt')],
      commentOnDeployment(services),
      about.commentOnDeployment,
    ),
  ];
}
