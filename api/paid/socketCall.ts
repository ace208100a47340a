import { EventEmitter } from 'node:events';
import { newId } from '../../db/ids.ts';
import { addSpending, type OpenSecret } from '../../db/keys/clientSecrets.ts';
import type { Context } from '../context.ts';
import { clientSecretRefused } from '../errors/keyErrors.ts';
import type { Services } from '../services.ts';
import { runPaidCall, type PaidCall } from './paidCall.ts';
import type { Reserved } from './reserve.ts';

/**
 * Runs one of the paid calls of a socket, as `runPaidCall` does: with a request id, a bill and times of its own. A socket that closes is a
 * client that disconnected; failures go to the call's `fail`, or are thrown where nothing was reserved. `already` is money that was reserved
 * for the call before.
 */
export async function runSocketCall(
  ctx: Context,
  services: Services,
  call: PaidCall,
  requestId = newId('req'),
  already?: Reserved,
): Promise<void> {
  const { clientSecret } = ctx.state;
  if (!already) refuseSpent(ctx);
  const answer = new SocketAnswer(ctx);
  const own = contextOfCall(ctx, answer, requestId);
  const onClose = () => answer.emit('close');
  // A socket has many calls: each takes its listener away.
  ctx.res.on('close', onClose);
  try {
    await runPaidCall(own, services, call, already);
  } finally {
    ctx.res.off('close', onClose);
    const { costNanos } = own.state.log;
    if (clientSecret && costNanos) await noteSpending(services, clientSecret, costNanos);
  }
}

/** Throws where the client secret of a socket has reached its spend limit. */
export function refuseSpent({ state }: Context): void {
  if (state.clientSecret?.isSpent) throw clientSecretRefused('spent');
}

/** Counts a call against the spend limit of the client secret: the call after the one that reaches it is refused. */
async function noteSpending({ db, log }: Services, secret: OpenSecret, costNanos: bigint): Promise<void> {
  try {
    secret.isSpent = await addSpending(db.pool, secret.id, costNanos);
  } catch (err) {
    log.warn({ err, clientSecretId: secret.id }, 'a call was not counted against the limit of its client secret');
  }
}

/** What a paid call sees of the answer to its request: whether it can still be sent. */
class SocketAnswer extends EventEmitter {
  readonly #ctx: Context;

  constructor(ctx: Context) {
    super();
    this.#ctx = ctx;
  }

  get destroyed(): boolean {
    return this.#ctx.res.destroyed;
  }
}

function contextOfCall(ctx: Context, answer: SocketAnswer, requestId: string): Context {
  const { key, testFault, aheadMs, route, params } = ctx.state;
  const at = { startedAtMs: Date.now(), begunAtMs: performance.now(), aheadMs };
  const state = { key, testFault, route, params, requestId, ...at };
  // The headers of the handshake are of the socket, not of its calls.
  const own = { state: { ...state, log: {} }, res: answer, req: { headers: {} } };
  return Object.assign(Object.create(ctx) as Context, own);
}
