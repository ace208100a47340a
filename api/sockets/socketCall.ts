import { EventEmitter } from 'node:events';
import { newId } from '../../db/ids.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';
import { runPaidCall, type PaidCall } from '../../calls/paidCall.ts';
import type { Reserved } from '../../calls/reserve.ts';

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
  const answer = new SocketAnswer(ctx);
  const own = contextOfCall(ctx, answer, requestId);
  const onClose = () => answer.emit('close');
  // A socket has many calls: each takes its listener away.
  ctx.res.on('close', onClose);
  try {
    await runPaidCall(own, services, call, already);
  } finally {
    ctx.res.off('close', onClose);
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
  const { key, testFault, aheadMs, route, params, product } = ctx.state;
  const at = { startedAtMs: Date.now(), begunAtMs: performance.now(), aheadMs };
  const state = { key, testFault, route, params, product, requestId, ...at };
  // The headers of the handshake are of the socket, not of its calls.
  const own = { state: { ...state, log: {} }, res: answer, req: { headers: {} } };
  return Object.assign(Object.create(ctx) as Context, own);
}
