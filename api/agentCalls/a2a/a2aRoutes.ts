import { agentIn } from '../../../base/agentNames.ts';
import { findPublicAgent } from '../../../db/agents/publicAgents.ts';
import { optionalTextBody, textBody } from '../../body/body.ts';
import { guard, queryGuard, type Context, type Guard, type Handler } from '../../context.ts';
import type { ApiError } from '../../../base/errors/apiError.ts';
import { fundedFirst } from '../../guard/balance.ts';
import { type Keyed, scope } from '../../guard/key.ts';
import { limitedAs, limitedByMethod, steering } from '../../guard/rate.ts';
import { get, post, remove, type Route } from '../../http/router.ts';
import { agentNotFound } from '../../../orders/errors.ts';
import type { Services } from '../../services.ts';
import { MEDIA_BODY } from '../../../base/limits.ts';
import { a2aDocs } from './a2aDocs.ts';
import { httpErrorOf, pushNotSupported, unsupportedOperation } from './a2aErrors.ts';
import { BASE, retrieveAgentCard, retrievePlatformCard } from './card.ts';
import { rpcErrors, serveRpc } from './jsonRpc.ts';
import {
  agentOf,
  beginTask,
  cancelTask,
  checkVersion,
  getTask,
  listTasks,
  sendMessage,
  subscribedRun,
  type Call,
} from './operations.ts';
import { streamTask } from './streamTask.ts';

/** Agents over the A2A protocol, version 1.0: cards without a key, and both bindings, for the platform and for each agent. */
export function a2aRoutes(services: Services, keyed: Keyed): Route[] {
  const agentCard = retrieveAgentCard(services);
  return [
    get('/.well-known/agent-card.json', [], retrievePlatformCard(services), a2aDocs.platformCard),
    get('/v1/agents/:namespace/:slug/card', [], agentCard, a2aDocs.agentCard),
    get(`${BASE}/:namespace/:slug/.well-known/agent-card.json`, [], agentCard, a2aDocs.agentCard),
    ...bindingsAt(BASE, services, keyed),
    ...bindingsAt(`${BASE}/:namespace/:slug`, services, keyed),
  ];
}

/** A colon that is part of a path is escaped; see `urlOf`. */
function bindingsAt(base: string, services: Services, keyed: Keyed): Route[] {
  const any = (value: unknown) => value;
  const agents: Keyed = (...checks) => [...keyed(scope('agents'), ...checks), publicAgent(services)];
  const httpCall: Keyed = (...checks) => [httpErrors, ...agents(...checks)];
  const free = httpCall();
  const message = textBody(any, { ...MEDIA_BODY, ...fundedFirst(services) });
  const httpMessage = httpCall(message);
  const rpcLimits = limitedByMethod({ SubscribeToTask: 'follower', CancelTask: 'steering' });
  const rpcMessage = [rpcErrors, ...agents(message, rpcLimits)];
  const following = limitedAs(() => 'follower');
  const http = (answer: Answer) => overHttp(services, answer);
  const push = http(refusePush);
  const refused = httpCall(optionalTextBody(any));
  const pushConfigs = `${base}/tasks/:run_id/pushNotificationConfigs`;
  return [
    post(base, rpcMessage, serveRpc(services), a2aDocs.rpc),
    post(`${base}/message\\:send`, httpMessage, http(sendMessage), a2aDocs.send),
    post(`${base}/message\\:stream`, httpMessage, http(streamMessage), a2aDocs.stream),
    get(`${base}/tasks`, free, http(listTasks), a2aDocs.listTasks),
    get(`${base}/tasks/:run_id\\:subscribe`, httpCall(following), http(subscribe), a2aDocs.subscribe),
    get(`${base}/tasks/:run_id`, free, http(getTask), a2aDocs.getTask),
    post(
      `${base}/tasks/:run_id\\:subscribe`,
      httpCall(optionalTextBody(any), following),
      http(subscribe),
      a2aDocs.subscribe,
    ),
    post(
      `${base}/tasks/:run_id\\:cancel`,
      httpCall(optionalTextBody(any), steering),
      http(cancelTask),
      a2aDocs.cancelTask,
    ),
    // Refused with the protocol's own error, as the card announces.
    post(pushConfigs, refused, push, a2aDocs.refusedPush),
    get(pushConfigs, free, push, a2aDocs.refusedPush),
    get(`${pushConfigs}/:config_id`, free, push, a2aDocs.refusedPush),
    remove(`${pushConfigs}/:config_id`, refused, push, a2aDocs.refusedPush),
    get(`${base}/extendedAgentCard`, free, http(refuseCard), a2aDocs.refusedCard),
  ];
}

/** Throws 404 for an agent that is not public. */
function publicAgent({ db }: Services): Guard {
  return guard([], async (ctx, next) => {
    const { namespace, slug } = ctx.state.params;
    if (namespace !== undefined && slug !== undefined) {
      const { workspaceId } = ctx.state.key;
      const agent = await findPublicAgent(db.everywhere, { namespace, slug: agentIn(slug), workspaceId });
      if (!agent) throw agentNotFound(`${namespace}/${slug}`, undefined);
    }
    return next();
  });
}

type Answer = (ctx: Context, services: Services, call: Call) => Promise<object | void>;

/** Errors as `google.rpc.Status`, including errors of keys and limits. Members of the query are parameters, and others are ignored there. */
const httpErrors = queryGuard([], (ctx, next) => {
  ctx.state.errorForm = httpErrorOf;
  return next();
});

/** The HTTP+JSON binding: parameters in path, query and body. */
function overHttp(services: Services, answer: Answer): Handler {
  return async (ctx) => {
    const { run_id: id } = ctx.state.params;
    const params: Call['params'] = Object.assign({}, ctx.query, ctx.state.input, id !== undefined && { id });
    checkVersion(ctx);
    const answered = await answer(ctx, services, { agent: agentOf(ctx), params });
    if (answered) ctx.body = answered;
  };
}

const wrap = { result: (item: object) => item, error: (error: ApiError) => httpErrorOf(error).body };

async function refusePush(ctx: Context, services: Services, call: Call): Promise<never> {
  await getTask(ctx, services, call);
  throw pushNotSupported();
}

const refuseCard = () => Promise.reject(unsupportedOperation('There is no extended card.'));

async function streamMessage(ctx: Context, services: Services, call: Call): Promise<void> {
  const { run } = await beginTask(ctx, services, call);
  return streamTask(ctx, services, run, wrap);
}

async function subscribe(ctx: Context, services: Services, call: Call): Promise<void> {
  return streamTask(ctx, services, await subscribedRun(ctx, services, call), wrap);
}
