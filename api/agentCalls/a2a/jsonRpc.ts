import { z } from 'zod';
import { isObject } from '../../../base/json.ts';
import { guard, type Context, type Handler } from '../../context.ts';
import type { ApiError } from '../../../base/errors/apiError.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import type { Services } from '../../services.ts';
import { invalidEnvelope, pushNotSupported, rpcErrorOf, unknownMethod, unsupportedOperation } from './a2aErrors.ts';
import {
  agentOf,
  beginTask,
  checkVersion,
  cancelTask,
  getTask,
  listTasks,
  sendMessage,
  subscribedRun,
  type Call,
} from './operations.ts';
import { streamTask } from './streamTask.ts';

type Id = string | number | null;
type Method = (ctx: Context, services: Services, call: Call, id: Id) => Promise<object | void>;

const METHODS: Record<string, Method> = {
  SendMessage: sendMessage,
  SendStreamingMessage: async (ctx, services, call, id) => {
    const { run } = await beginTask(ctx, services, call);
    return streamTask(ctx, services, run, wrapping(id));
  },
  SubscribeToTask: async (ctx, services, call, id) =>
    streamTask(ctx, services, await subscribedRun(ctx, services, call), wrapping(id)),
  GetTask: getTask,
  ListTasks: listTasks,
  CancelTask: cancelTask,
  CreateTaskPushNotificationConfig: () => Promise.reject(pushNotSupported()),
  GetTaskPushNotificationConfig: () => Promise.reject(pushNotSupported()),
  ListTaskPushNotificationConfigs: () => Promise.reject(pushNotSupported()),
  DeleteTaskPushNotificationConfig: () => Promise.reject(pushNotSupported()),
  GetExtendedAgentCard: () => Promise.reject(unsupportedOperation('There is no extended card.')),
};

// Unknown members are not looked at, as those of a message.
const Envelope = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.custom<Record<string, unknown>>(isObject).optional(),
});

/** The JSON-RPC binding, one request per message. Its errors have status 200; errors of keys and limits keep their status and form. */
export function serveRpc(services: Services): Handler {
  return async (ctx) => {
    const parsed = Envelope.safeParse(ctx.state.input);
    const id = parsed.success ? parsed.data.id : null;
    try {
      if (!parsed.success) throw invalidEnvelope('Send one JSON-RPC 2.0 request: jsonrpc, id, method, params.');
      const { method, params } = parsed.data;
      if (!Object.hasOwn(METHODS, method)) throw unknownMethod(method);
      checkVersion(ctx);
      const result = await METHODS[method]!(ctx, services, { agent: agentOf(ctx), params }, id);
      if (result) ctx.body = wrapping(id).result(result);
    } catch (error) {
      const known = asApiError(error, ctx.state.requestId);
      ctx.state.log.error = error;
      ctx.body = wrapping(id).error(known);
    }
  };
}

/** A body that is no JSON is answered as JSON-RPC says, without an id; errors of keys and limits keep the platform's form. */
export const rpcErrors = guard([], (ctx, next) => {
  ctx.state.errorForm = (error) =>
    error.code === 'invalid_body' ? { status: 200, body: wrapping(null).error(error) } : undefined;
  return next();
});

const wrapping = (id: Id) => ({
  result: (result: object) => ({ jsonrpc: '2.0', id, result }),
  error: (error: ApiError) => ({ jsonrpc: '2.0', id, error: rpcErrorOf(error) }),
});
