import { runDocs } from '../docs/runDocs.ts';
import { body, optionalBody } from '../guard/body.ts';
import { idempotent } from '../guard/idempotency.ts';
import { parseBody } from '../guard/parseWith.ts';
import { query } from '../guard/query.ts';
import { scope } from '../guard/scope.ts';
import type { Guard } from '../context.ts';
import { get, post, put, remove } from '../route.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';
import { cancelRun, cancelSession } from './cancelRun.ts';
import { createRun } from './createRun.ts';
import { deleteFeedback, putFeedback, retrieveFeedback } from './feedback.ts';
import { inputRun } from './inputRun.ts';
import { listRuns, retrieveRun } from './runs.ts';
import { CancelOrder, FeedbackOrder, RunAnswer, RunListQuery, RunOrder, UsageQuery } from './runSchema.ts';
import { retrieveUsage } from './usage.ts';

/** Runs of agents, what callers say to them and of them, and what they cost. */
export function runRoutes(services: Services, { keyed, limited }: { keyed: Guard; limited: Guard }): Route[] {
  const agents = [keyed, scope('agents')];
  const once = idempotent(services.db, 'run');
  const free = [...agents, limited];
  const created = [...agents, body(parseBody(RunOrder)), limited, once];
  const cancelled = [...agents, optionalBody(parseBody(CancelOrder)), limited, once];
  const answered = [...agents, body(parseBody(RunAnswer)), limited, once];
  const judged = [...agents, body(parseBody(FeedbackOrder)), limited];
  const about = runDocs({
    order: RunOrder,
    cancel: CancelOrder,
    answer: RunAnswer,
    feedback: FeedbackOrder,
    listQuery: RunListQuery,
    usageQuery: UsageQuery,
  });
  return [
    post('/v1/runs', created, createRun(services), about.createRun),
    get('/v1/runs', [...agents, query(RunListQuery), limited], listRuns(services), about.listRuns),
    get('/v1/runs/:run_id', free, retrieveRun(services), about.retrieveRun),
    post('/v1/runs/:run_id/cancel', cancelled, cancelRun(services), about.cancelRun),
    post('/v1/sessions/:session_id/cancel', cancelled, cancelSession(services), about.cancelSession),
    post('/v1/runs/:run_id/input', answered, inputRun(services), about.inputRun),
    get('/v1/runs/:run_id/feedback', free, retrieveFeedback(services), about.retrieveFeedback),
    put('/v1/runs/:run_id/feedback', judged, putFeedback(services), about.putFeedback),
    remove('/v1/runs/:run_id/feedback', free, deleteFeedback(services), about.deleteFeedback),
    get('/v1/usage', [...agents, query(UsageQuery), limited], retrieveUsage(services), about.retrieveUsage),
  ];
}
