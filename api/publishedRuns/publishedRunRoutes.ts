import { query } from '../body/parseWith.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { retrieveAgentMetrics } from './metrics.ts';
import { publishedRunDocs } from './publishedRunDocs.ts';
import { listAgentRuns, listAgentRunSteps, retrieveAgentRun, retrieveAgentRunStep } from './publishedRuns.ts';
import { MetricsQuery, PublishedRunsQuery, StepsQuery } from './runQueries.ts';

/** The routes of what publishers see of the runs of their agents. */
export function publishedRunRoutes(services: Services, keyed: Keyed): Route[] {
  const publisher: Keyed = (...checks) => keyed(scope('publisher'), ...checks);
  const agent = '/v1/publisher/agents/:agent_id';
  const run = `${agent}/runs/:run_id`;
  const metrics = publisher(query(MetricsQuery));
  return [
    get(`${agent}/runs`, publisher(query(PublishedRunsQuery)), listAgentRuns(services), publishedRunDocs.list),
    get(run, publisher(), retrieveAgentRun(services), publishedRunDocs.retrieve),
    get(`${run}/steps`, publisher(query(StepsQuery)), listAgentRunSteps(services), publishedRunDocs.steps),
    get(`${run}/steps/:step_id`, publisher(), retrieveAgentRunStep(services), publishedRunDocs.step),
    get(`${agent}/metrics`, metrics, retrieveAgentMetrics(services), publishedRunDocs.metrics),
  ];
}
