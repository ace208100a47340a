import { body, optionalBody } from '../body/body.ts';
import { parseBody } from '../body/parseWith.ts';
import { guard } from '../context.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { get, post, type Route } from '../http/router.ts';
import { checkOwnOrigin, session } from '../guard/session.ts';
import type { Services } from '../services.ts';
import { Me } from './accountAnswers.ts';
import { AccountBody, ModeBody, SessionBody, WorkspaceBody } from './accountSchema.ts';
import { answerAccounts } from './authHandler.ts';
import { AUTH_PATH } from '../guard/cookie.ts';
import { describeMe } from './me.ts';
import { createWorkspace, endOtherSessions, endSession, listSessions, switchMode } from './ownSessions.ts';
import { showTestMails } from './testMailPage.ts';

const SMALL = { bytesMax: 32 * 1024, valuesMax: 500 };

const ME_DOC = {
  tag: 'Console',
  summary: 'Read who is signed in',
  description:
    'For the session cookie of the console: the person, the chosen workspace and the role there, and what ' +
    'the installation has. Members use the routes of a workspace below /console/v1 with that cookie: ' +
    '/v1/runs is /console/v1/runs, /platform/v1/keys is /console/v1/keys.',
  answer: Me,
} satisfies RouteDoc;

/** Routes of people's accounts. The accounts library answers below `/console/v1/auth`. */
export function accountRoutes(services: Services): Route[] {
  const bySession = session(services);
  // They tell a person what their session lacks, and let them end it.
  const byAny = session(services, { isForAny: true });
  const fromPage = guard([403], (ctx, next) => {
    checkOwnOrigin(ctx);
    return next();
  });
  const accounts = answerAccounts(services);
  return [
    get('/console/v1/me', [byAny], describeMe(services), ME_DOC),
    post('/console/v1/mode', [bySession, body(parseBody(ModeBody))], switchMode(services)),
    get(`${AUTH_PATH}/list-sessions`, [byAny], listSessions(services)),
    post(`${AUTH_PATH}/revoke-session`, [byAny, optionalBody(parseBody(SessionBody))], endSession(services)),
    post(`${AUTH_PATH}/revoke-other-sessions`, [byAny], endOtherSessions(services)),
    post(
      `${AUTH_PATH}/organization/create`,
      [byAny, optionalBody(parseBody(WorkspaceBody))],
      createWorkspace(services),
    ),
    post(`${AUTH_PATH}/sso/saml2/sp/acs/:provider_id`, [], accounts.acceptSaml),
    get(`${AUTH_PATH}/{*path}`, [], accounts.read),
    post(`${AUTH_PATH}/{*path}`, [fromPage, optionalBody(parseBody(AccountBody), SMALL)], accounts.change),
    get('/console/test-mail', [], showTestMails(services)),
  ];
}
