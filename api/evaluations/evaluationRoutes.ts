import { MIB } from '../../base/limits.ts';
import { body, optionalBody } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { get, post, put, remove, type Route } from '../http/router.ts';
import { checkOwner } from '../publisher/deployments.ts';
import { AgentListQuery } from '../publisher/publisherSchema.ts';
import type { Services } from '../services.ts';
import { retrieveDeploymentEvaluation } from './deploymentEvaluation.ts';
import { evaluationDocs } from './evaluationDocs.ts';
import { quoteEvaluation } from './evaluationQuote.ts';
import { cancelEvaluationRun, listRuns, retrieveEvaluationRun, startEvaluationRun } from './evaluationRuns.ts';
import { EvaluationQuoteBody, EvaluationRunBody, EvaluationRunQuery, EvaluationSetBody } from './evaluationSchema.ts';
import { deleteSet, replaceSet, retrieveSet } from './evaluationSets.ts';

const SET_BODY = { bytesMax: 4 * MIB, valuesMax: 50_000, data: [['cases']] };

/** The routes of evaluation sets, for those who publish. */
export function evaluationRoutes(services: Services, keyed: Keyed): Route[] {
  const { db } = services;
  const publisher: Keyed = (...checks) => keyed(scope('publisher'), ...checks);
  const agent = '/v1/publisher/agents/:agent_id';
  const [set, runs] = [`${agent}/evaluation-set`, `${agent}/evaluation-runs`];
  const one = `${runs}/:evaluation_run_id`;
  const start = publisher(scope('agents'), optionalBody(parseWith(EvaluationRunBody, 'body')));
  const quoted = publisher(optionalBody(parseWith(EvaluationQuoteBody, 'body')));
  const stored = publisher(body(parseWith(EvaluationSetBody, 'body'), SET_BODY));
  return [
    get(set, publisher(), retrieveSet(services), evaluationDocs.retrieveSet),
    put(set, stored, replaceSet(services), evaluationDocs.replaceSet),
    remove(set, publisher(), deleteSet(services), evaluationDocs.deleteSet),
    post(`${set}/quote`, quoted, quoteEvaluation(services), evaluationDocs.quote),
    post(runs, [...start, idempotent(db, 'evalrun')], startEvaluationRun(services), evaluationDocs.startRun),
    get(runs, publisher(query(AgentListQuery)), listRuns(services), evaluationDocs.listRuns),
    get(one, publisher(query(EvaluationRunQuery)), retrieveEvaluationRun(services), evaluationDocs.retrieveRun),
    post(
      `${one}/cancel`,
      [...publisher(), idempotent(db, 'evalrun')],
      cancelEvaluationRun(services),
      evaluationDocs.cancelRun,
    ),
    get(
      '/v1/publisher/deployments/:deployment_id/evaluation',
      publisher(),
      retrieveDeploymentEvaluation(services, checkOwner(services)),
      evaluationDocs.deployment,
    ),
  ];
}
