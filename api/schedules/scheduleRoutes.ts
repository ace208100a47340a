import { body, optionalBody } from '../body/body.ts';
import { LONG_TEXT_BODY } from '../../base/limits.ts';
import { ORDER_DATA } from '../../orders/order.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { seenSchedule } from '../guard/projects.ts';
import { steering } from '../guard/rate.ts';
import { get, patch, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { scheduleDocs } from './scheduleDocs.ts';
import { NewSchedule, PauseBody, ResumeBody, ScheduleChange, ScheduleListQuery } from './scheduleSchema.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  listScheduleRuns,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  retrieveSchedule,
  triggerSchedule,
} from './schedules.ts';

/** The routes of schedules of runs. */
export function scheduleRoutes(services: Services, keyed: Keyed): Route[] {
  const agents: Keyed = (...checks) => keyed(scope('agents'), seenSchedule(services.db), ...checks);
  const once = idempotent(services.db, 'sched');
  const data = ORDER_DATA.map((place) => ['run', ...place]);
  const scheduleBody = { ...LONG_TEXT_BODY, data };
  const creation = [...agents(body(parseWith(NewSchedule, 'body'), scheduleBody)), once];
  const change = agents(body(parseWith(ScheduleChange, 'body'), scheduleBody));
  const pausing = agents(steering, optionalBody(parseWith(PauseBody, 'body')));
  const resumption = agents(optionalBody(parseWith(ResumeBody, 'body')));
  const list = agents(query(ScheduleListQuery));
  const all = '/v1/schedules';
  const one = `${all}/:schedule_id`;
  return [
    post(all, creation, createSchedule(services), scheduleDocs.create),
    get(all, list, listSchedules(services), scheduleDocs.list),
    get(one, agents(), retrieveSchedule(services), scheduleDocs.retrieve),
    patch(one, change, changeSchedule(services), scheduleDocs.change),
    remove(one, agents(), deleteSchedule(services), scheduleDocs.remove),
    post(`${one}/pause`, pausing, pauseSchedule(services), scheduleDocs.pause),
    post(`${one}/resume`, resumption, resumeSchedule(services), scheduleDocs.resume),
    post(
      `${one}/trigger`,
      [...agents(), idempotent(services.db, 'fire')],
      triggerSchedule(services),
      scheduleDocs.trigger,
    ),
    get(`${one}/runs`, list, listScheduleRuns(services), scheduleDocs.runs),
  ];
}
