import { hash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  answerAttempt,
  beginAttempt,
  disconnectPlugin,
  findAttempt,
  type AttemptRow,
  type SignInAnswer,
} from '../../db/plugins/pluginSignIns.ts';
import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { retryIn } from '../../base/errors/limitErrors.ts';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { memberOnly, memberOr } from '../guard/session.ts';
import { get, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import type { PluginSignInInput } from '../../contracts/pluginSignIn.ts';
import { callerPluginDoc, listCallerPlugins, pluginIn, presentPlugins, SignIn } from './callerPlugins.ts';

const WAIT_MS = 25_000;
const POLL_MS = 100;

const Attempt = z.object({
  object: z.literal('plugin.sign_in_attempt'),
  id: z.string(),
  authorization_url: z.string().describe('Where the member signs in.'),
  expires_at: z.iso.datetime(),
});

const text = z.string().min(1).max(4_096);

/** The parameters of an authorization server's redirect. */
const Answer = z.strictObject({
  state: z.string().min(1).max(200),
  code: text.optional(),
  iss: text.optional(),
  error: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .optional(),
});

const about = {
  retrieve: {
    tag: 'Agents',
    summary: 'Read your sign-in to a plugin',
    answer: { id: 'PluginSignIn', schema: SignIn },
    errors: [409],
  },
  remove: {
    tag: 'Agents',
    summary: 'Disconnect a plugin',
    description: 'Your sign-in is useless at once, and its tokens are revoked at the authorization server.',
    answer: { id: 'PluginSignIn', schema: SignIn },
    errors: [409],
  },
  begin: {
    tag: 'Agents',
    summary: 'Begin to sign in to a plugin',
    description: 'In a session of the console. Its answer is taken by the same session alone, within ten minutes.',
    answer: { id: 'PluginSignInAttempt', schema: Attempt },
    statuses: [201],
    errors: [409, 502, 503],
  },
  answer: {
    tag: 'Agents',
    summary: 'Finish to sign in to a plugin',
    description: 'With what the authorization server has sent to the console’s page.',
    input: { id: 'PluginSignInAnswer', schema: Answer, example: { state: 'EXAMPLE', code: 'EXAMPLE' } },
    answer: { id: 'PluginSignIn', schema: SignIn },
    errors: [404, 502, 503],
  },
} satisfies Record<string, RouteDoc>;

/** The plugins with requirements of their callers, and a workspace's sign-ins. */
export function pluginSignInRoutes(services: Services, keyed: Keyed): Route[] {
  const path = '/v1/plugins/:plugin_id/sign-in';
  return [
    get('/v1/plugins', keyed(memberOr('manage')), listCallerPlugins(services), callerPluginDoc),
    get(path, keyed(memberOr('manage')), retrieveSignIn(services), about.retrieve),
    remove(path, keyed(scope('manage')), disconnect(services), about.remove),
  ];
}

/** The routes by which members sign in. */
export function signingInRoutes(services: Services, keyed: Keyed): Route[] {
  const manager: Keyed = (...checks) => keyed(scope('manage'), memberOnly, ...checks);
  const answer = manager(body(parseWith(Answer, 'body')));
  return [
    post('/console/v1/plugins/:plugin_id/sign-in', manager(), beginSignIn(services), about.begin),
    post('/console/v1/plugin-sign-ins', answer, finishSignIn(services), about.answer),
  ];
}

/** `GET /v1/plugins/{plugin_id}/sign-in`. */
function retrieveSignIn(services: Services): Handler {
  return (ctx) => present(ctx, services);
}

/** `DELETE /v1/plugins/{plugin_id}/sign-in`. */
function disconnect(services: Services): Handler {
  return async (ctx) => {
    const { id: pluginId } = await pluginIn(ctx, services, { evenOff: true });
    const { workspaceId } = ctx.state.key;
    // While Temporal is down the tokens stay sealed and unused, until an upkeep has them revoked.
    if (await disconnectPlugin(services.db.write(workspaceId), actorOf(ctx), pluginId))
      await start(services, { part: 'revoke', workspaceId, pluginId }, workspaceId).catch((error: unknown) => {
        ctx.state.log.error = error;
      });
    await present(ctx, services);
  };
}

/** `POST /console/v1/plugins/{plugin_id}/sign-in`. */
function beginSignIn(services: Services): Handler {
  return async (ctx) => {
    const { id: pluginId, signsInTo } = await pluginIn(ctx, services);
    if (!signsInTo) throw withoutSignIn(pluginId);
    const { userId, sessionId } = ctx.state.member!;
    const rows = services.db.write(ctx.state.key.workspaceId);
    const state = randomBytes(32).toString('base64url');
    const redirectUrl = `${services.config.publicUrl}/plugins/signed-in`;
    const begun = {
      pluginId,
      pluginVersion: signsInTo.version,
      userId,
      sessionId,
      stateHash: hashOf(state),
      redirectUrl,
    };
    const id = await beginAttempt(rows, begun);
    await start(services, { part: 'begin', attemptId: id }, rows.workspaceId);
    const { authorizationUrl, expiresAt } = await settled(services, ctx, id, ['asked']);
    const url = new URL(authorizationUrl!);
    url.searchParams.set('state', state);
    ctx.status = 201;
    ctx.body = {
      object: 'plugin.sign_in_attempt',
      id,
      authorization_url: url.href,
      expires_at: expiresAt.toISOString(),
    } satisfies z.output<typeof Attempt>;
  };
}

/** `POST /console/v1/plugin-sign-ins`. */
function finishSignIn(services: Services): Handler<z.output<typeof Answer>> {
  return async (ctx) => {
    const { state, code, iss, error } = ctx.state.input;
    const { sessionId } = ctx.state.member!;
    const answer: SignInAnswer =
      code !== undefined && error === undefined
        ? { code, ...(iss !== undefined && { iss }) }
        : { error: error ?? 'no_code' };
    const rows = services.db.write(ctx.state.key.workspaceId);
    const attempt = await answerAttempt(rows, { stateHash: hashOf(state), sessionId, answer });
    if (!attempt) throw attemptUnknown();
    if (attempt.state === 'failed') throw signInFailed(attempt);
    await start(services, { part: 'finish', attemptId: attempt.id }, rows.workspaceId);
    await settled(services, ctx, attempt.id, ['connected']);
    ctx.state.params.plugin_id = attempt.pluginId;
    await present(ctx, services);
  };
}

const hashOf = (state: string): string => hash('sha256', state, 'hex');

async function start({ pluginSignIns }: Services, input: PluginSignInInput, workspaceId: string): Promise<void> {
  try {
    await pluginSignIns.start(input, workspaceId);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** The attempt after the worker's part. */
async function settled({ db }: Services, ctx: Context, id: string, states: AttemptRow['state'][]): Promise<AttemptRow> {
  const endMs = performance.now() + WAIT_MS;
  while (performance.now() < endMs && !ctx.res.destroyed) {
    const attempt = (await findAttempt(db.write(ctx.state.key.workspaceId), id))!;
    if (attempt.state === 'failed') throw signInFailed(attempt);
    if (states.includes(attempt.state)) return attempt;
    await sleep(POLL_MS);
  }
  throw unavailable();
}

async function present(ctx: Context, services: Services): Promise<void> {
  const plugin = await pluginIn(ctx, services, { evenOff: true });
  const [{ sign_in: signIn } = { sign_in: null }] = await presentPlugins(ctx, services, [plugin]);
  if (!signIn) throw withoutSignIn(plugin.id);
  ctx.body = signIn;
}

const withoutSignIn = (id: string) => conflict('plugin_without_sign_in', `Nobody signs in to the plugin '${id}'.`);

const attemptUnknown = () =>
  notFound('This session has no open sign-in with that state. Begin again.', 'sign_in_not_found');

const signInFailed = ({ failure }: Pick<AttemptRow, 'failure'>) =>
  new ApiError({ status: 502, code: 'sign_in_failed', message: failure!, headers: { 'x-should-retry': 'false' } });

const unavailable = (cause?: unknown) =>
  new ApiError({
    status: 503,
    code: 'sign_in_unavailable',
    message: 'No worker has taken up the sign-in. Begin again in a few seconds.',
    headers: retryIn(5000),
    cause,
  });
