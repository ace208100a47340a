import { optionalBody } from '../body/body.ts';
import { parseBody } from '../body/parseWith.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { seenRun } from '../guard/projects.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { get, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { createRunShare, deleteRunShare, retrieveRunShare, RunShare, ShareBody } from './runShares.ts';

const TAG = 'Runs';
const answer = { id: 'RunShare', schema: RunShare };

const docs = {
  retrieve: { tag: TAG, summary: 'Read whether a run is shared', answer },
  create: {
    tag: TAG,
    summary: 'Share a run with its agent’s publisher',
    description:
      'Without it, a publisher sees status, times, tokens and cost of a run, and nothing that you sent or got. With it they read the ' +
      'input, the output and the steps of this run, for some days: not the files, and no other run. It can be revoked, is in the ' +
      'audit, and does not name you. For an ended run of another workspace’s agent; again, it counts the days anew.',
    input: { id: 'RunShareOrder', schema: ShareBody, example: { days: 7 } },
    answer,
    errors: [409],
  },
  remove: { tag: TAG, summary: 'Stop sharing a run', answer },
} satisfies Record<string, RouteDoc>;

/** The routes of a run that is shared with the publisher of its agent. */
export function runShareRoutes(services: Services, keyed: Keyed): Route[] {
  const agents: Keyed = (...checks) => keyed(scope('agents'), seenRun(services.db), ...checks);
  const path = '/v1/runs/:run_id/share';
  return [
    get(path, agents(), retrieveRunShare(services), docs.retrieve),
    post(path, agents(optionalBody(parseBody(ShareBody))), createRunShare(services), docs.create),
    remove(path, agents(), deleteRunShare(services), docs.remove),
  ];
}
