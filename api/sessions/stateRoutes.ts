import { SMALL_BODY } from '../../base/limits.ts';
import { body } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { get, patch, put, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { listStateVersions, patchState, replaceState, retrieveState } from './state.ts';
import { stateDocs } from './stateDocs.ts';
import { StateBody, StatePatchBody, StateQuery, StateVersionsQuery } from './stateSchema.ts';

/** A body with a state. */
export const STATE_BODY = { ...SMALL_BODY, data: [['state']] };

/** The routes of the state of sessions. */
export function stateRoutes(services: Services, keyed: Keyed): Route[] {
  const agents: Keyed = (...checks) => keyed(scope('agents'), ...checks);
  const replacement = agents(body(parseWith(StateBody, 'body'), STATE_BODY));
  const change = agents(body(parseWith(StatePatchBody, 'body'), STATE_BODY));
  const [one, versions] = ['/v1/sessions/:session_id/state', '/v1/sessions/:session_id/state/versions'];
  return [
    get(one, agents(query(StateQuery)), retrieveState(services), stateDocs.retrieve),
    put(one, replacement, replaceState(services), stateDocs.replace),
    patch(one, change, patchState(services), stateDocs.change),
    get(versions, agents(query(StateVersionsQuery)), listStateVersions(services), stateDocs.listVersions),
  ];
}
