import { body, optionalBody } from '../body/body.ts';
import { parseBody } from '../body/parseWith.ts';
import { guard } from '../context.ts';
import { get, post, type Route } from '../http/router.ts';
import { checkOwnOrigin, session } from '../guard/session.ts';
import type { Services } from '../services.ts';
import { accountDocs } from './accountDocs.ts';
import { AccountBody, ModeBody, SessionBody, WorkspaceBody } from './accountSchema.ts';
import { answerAccounts } from './authHandler.ts';
import { AUTH_PATH } from '../guard/cookie.ts';
import { describeMe } from './me.ts';
import { createWorkspace, endOtherSessions, endSession, listSessions, switchMode } from './ownSessions.ts';
import { showTestMails } from './testMailPage.ts';

const SMALL = { bytesMax: 32 * 1024, valuesMax: 500 };

/** Routes of people's accounts. The accounts library answers below `/console/v1/auth`. */
export function accountRoutes(services: Services): Route[] {
  const bySession = session(services);
  const fromPage = guard([403], (ctx, next) => {
    checkOwnOrigin(ctx);
    return next();
  });
  const accounts = answerAccounts(services);
  const about = accountDocs();
  return [
    get('/console/v1/me', [bySession], describeMe(services), about.me),
    post('/console/v1/mode', [bySession, body(parseBody(ModeBody))], switchMode(services)),
    get(`${AUTH_PATH}/list-sessions`, [bySession], listSessions(services)),
    post(`${AUTH_PATH}/revoke-session`, [bySession, optionalBody(parseBody(SessionBody))], endSession(services)),
    post(`${AUTH_PATH}/revoke-other-sessions`, [bySession], endOtherSessions(services)),
    post(
      `${AUTH_PATH}/organization/create`,
      [bySession, optionalBody(parseBody(WorkspaceBody))],
      createWorkspace(services),
    ),
    get(`${AUTH_PATH}/{*path}`, [], accounts.read),
    post(`${AUTH_PATH}/{*path}`, [fromPage, optionalBody(parseBody(AccountBody), SMALL)], accounts.change),
    get('/console/test-mail', [], showTestMails(services)),
  ];
}
