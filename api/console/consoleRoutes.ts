import { consoleDocs } from './consoleDocs.ts';
import { body, optionalBody } from '../body/body.ts';
import { idempotent } from '../guard/idempotency.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { verifyProvider } from '../publisher/namespaces.ts';
import { retrieveDeploymentEvaluation } from '../evaluations/deploymentEvaluation.ts';
import { findTrialFile, listReviewTrials } from '../publisher/trials.ts';
import { RolloutPlanBody } from '../publisher/rolloutPlan.ts';
import { CommentBody, VerificationBody } from '../publisher/publisherSchema.ts';
import { get, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { sendFileContent } from '../files/fileContent.ts';
import {
  commentAsOperator,
  checkSeen,
  decideReview,
  listReviews,
  retrieveReview,
  switchDeployment,
  planAnyRollout,
  switchRollout,
} from './reviews.ts';
import { ApprovalBody, DecisionBody, ReviewListQuery, SubsidyBody } from './consoleSchema.ts';
import { operatorKey } from './operatorKey.ts';
import { changeSubsidy } from './subsidies.ts';

/** The operators' routes. Their keys have the scope `operator`. */
export function consoleRoutes(services: Services, keyed: Keyed): Route[] {
  const operator: Keyed = (...checks) => keyed(scope('operator'), operatorKey(services), ...checks);
  const once = idempotent(services.db, 'dec');
  const decision = [...operator(optionalBody(parseWith(DecisionBody, 'body'))), once];
  const approval = [...operator(optionalBody(parseWith(ApprovalBody, 'body'))), once];
  const plan = operator(body(parseWith(RolloutPlanBody, 'body')));
  const verification = [...operator(optionalBody(parseWith(VerificationBody, 'body'))), once];
  const subsidy = [...operator(optionalBody(parseWith(SubsidyBody, 'body'))), once];
  const comment = [...operator(body(parseWith(CommentBody, 'body'))), idempotent(services.db, 'cmt')];
  const about = consoleDocs();
  const trials = { check: checkSeen(services), kinds: ['example' as const, 'probe' as const] };
  const trialFile = sendFileContent(services, findTrialFile(services, trials));
  const evaluation = retrieveDeploymentEvaluation(services, checkSeen(services));
  const one = '/console/v1/deployments/:deployment_id';
  return [
    get('/console/v1/reviews', operator(query(ReviewListQuery)), listReviews(services), about.listReviews),
    get(one, operator(), retrieveReview(services), about.retrieveReview),
    get(`${one}/trials`, operator(), listReviewTrials(services, trials), about.listTrials),
    get(`${one}/evaluation`, operator(), evaluation, about.retrieveEvaluation),
    get(`${one}/trials/files/:file_id/content`, operator(), trialFile, about.retrieveTrialFile),
    post(`${one}/approve`, approval, decideReview(services, 'approve'), about.approve),
    post(`${one}/request-changes`, decision, decideReview(services, 'request_changes'), about.requestChanges),
    post(`${one}/reject`, decision, decideReview(services, 'reject'), about.reject),
    post(`${one}/suspend`, decision, switchDeployment(services, 'suspend'), about.suspend),
    post(`${one}/promote`, [...operator(), once], switchRollout(services, 'promote'), about.promote),
    post(`${one}/rollout`, [...plan, once], planAnyRollout(services), about.planRollout),
    post(`${one}/roll-back`, [...operator(), once], switchRollout(services, 'roll_back'), about.rollBack),
    post(`${one}/reinstate`, decision, switchDeployment(services, 'reinstate'), about.reinstate),
    post('/console/v1/namespaces/:name/verify', verification, verifyProvider(services), about.verify),
    post('/console/v1/agents/:namespace/:slug/subsidy', subsidy, changeSubsidy(services), about.subsidy),
    post(`${one}/comments`, comment, commentAsOperator(services), about.comment),
  ];
}
