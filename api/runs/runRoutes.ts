import { eventDocs, runDocs, stepQuery } from './runDocs.ts';
import { body, optionalBody } from '../body/body.ts';
import { LONG_TEXT_BODY } from '../../base/limits.ts';
import { idempotent } from '../guard/idempotency.ts';
import { fundedFirst } from '../guard/balance.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { seenRun } from '../guard/projects.ts';
import { limitedAs, steering } from '../guard/rate.ts';
import { parseBody, query } from '../body/parseWith.ts';
import { get, post, put, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { cancelRun, cancelSession } from './cancelRun.ts';
import { compareRuns } from './compareRuns.ts';
import { createRun } from './createRun.ts';
import { eventsClassOf, listRunEvents } from './events.ts';
import { deleteFeedback, putFeedback, retrieveFeedback } from './feedback.ts';
import { inputRun } from './inputRun.ts';
import { quoteRun } from './quotes.ts';
import { quoteReplay, replayRuns } from './replayRuns.ts';
import { ReplayOrder } from './replaySchema.ts';
import { rerunRun } from './rerun.ts';
import { deleteRun, listRuns, retrieveRun, retrieveRunTotals } from './runs.ts';
import {
  ANSWER_DATA,
  CancelOrder,
  ComparisonQuery,
  FeedbackOrder,
  parseRunAnswer,
  RerunOrder,
  RunListQuery,
  RunTotalsQuery,
  UsageQuery,
  EventsQuery,
} from './runSchema.ts';
import { ORDER_DATA, RunOrder } from '../../orders/order.ts';
import { listRunSteps, retrieveRunStep } from './steps.ts';
import { retrieveUsage } from './usage.ts';

/** The routes of runs, their events, their feedback and their cost. */
export function runRoutes(services: Services, keyed: Keyed): Route[] {
  const agents: Keyed = (...checks) => keyed(scope('agents'), seenRun(services.db), ...checks);
  const once = idempotent(services.db, 'run');
  const free = agents();
  const orderBody = { ...LONG_TEXT_BODY, data: ORDER_DATA };
  const paidBody = { ...orderBody, ...fundedFirst(services) };
  const creation = [...agents(body(parseBody(RunOrder), paidBody)), once];
  const repetition = [...agents(body(parseBody(RerunOrder), paidBody)), once];
  const cancellation = [...agents(steering, optionalBody(parseBody(CancelOrder))), once];
  const answer = [...agents(steering, body(parseRunAnswer, { ...LONG_TEXT_BODY, data: ANSWER_DATA })), once];
  const events = agents(query(EventsQuery), limitedAs(eventsClassOf));
  const feedback = agents(body(parseBody(FeedbackOrder)));
  const about = {
    ...runDocs(),
    ...eventDocs,
  };
  return [
    post('/v1/runs', creation, createRun(services), about.createRun),
    post('/v1/runs/quote', agents(body(parseBody(RunOrder), orderBody)), quoteRun(services), about.quoteRun),
    get('/v1/runs', agents(query(RunListQuery)), listRuns(services), about.listRuns),
    get('/v1/runs/totals', agents(query(RunTotalsQuery)), retrieveRunTotals(services), about.runTotals),
    get('/v1/runs/:run_id', free, retrieveRun(services), about.retrieveRun),
    remove('/v1/runs/:run_id', free, deleteRun(services), about.deleteRun),
    get('/v1/runs/:run_id/events', events, listRunEvents(services), about.listRunEvents),
    get('/v1/runs/:run_id/steps', agents(query(stepQuery)), listRunSteps(services), about.listRunSteps),
    get('/v1/runs/:run_id/steps/:step_id', free, retrieveRunStep(services), about.retrieveRunStep),
    post('/v1/runs/replay/quote', agents(body(parseBody(ReplayOrder))), quoteReplay(services), about.quoteReplay),
    post('/v1/runs/replay', [...agents(body(parseBody(ReplayOrder))), once], replayRuns(services), about.replayRuns),
    post('/v1/runs/:run_id/rerun', repetition, rerunRun(services), about.rerunRun),
    get('/v1/runs/:run_id/compare', agents(query(ComparisonQuery)), compareRuns(services), about.compareRuns),
    post('/v1/runs/:run_id/cancel', cancellation, cancelRun(services), about.cancelRun),
    post('/v1/sessions/:session_id/cancel', cancellation, cancelSession(services), about.cancelSession),
    post('/v1/runs/:run_id/input', answer, inputRun(services), about.inputRun),
    get('/v1/runs/:run_id/feedback', free, retrieveFeedback(services), about.retrieveFeedback),
    put('/v1/runs/:run_id/feedback', feedback, putFeedback(services), about.putFeedback),
    remove('/v1/runs/:run_id/feedback', free, deleteFeedback(services), about.deleteFeedback),
    get('/v1/usage', agents(query(UsageQuery)), retrieveUsage(services), about.retrieveUsage),
  ];
}
