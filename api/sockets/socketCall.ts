import type { Caller, CallLog } from '../../calls/caller.ts';
import type { Delivery } from '../../calls/delivery.ts';
import { runPaidCall, type PaidCall } from '../../calls/paidCall.ts';
import type { Reserved } from '../../calls/reserve.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

/**
 * A paid call of a socket, which presents its answer itself, as events. The handshake has sent the head of every answer. Its price is that of
 * its start.
 */
export type SocketCall = PaidCall & Delivery<void> & { readonly hasBegun: true; readonly startedAtMs: number };

/**
 * Runs a paid call of a socket, as `runPaidCall` does: with a separate request id, bill and times. A closed socket counts as a disconnected
 * client; failures go to the call's `fail`, or are thrown if nothing was reserved. `already` is money reserved for the call earlier.
 */
export async function runSocketCall(
  ctx: Context,
  services: Services,
  call: SocketCall,
  requestId: string,
  already?: Reserved,
): Promise<void> {
  const caller = new SocketCaller(ctx, requestId, call.startedAtMs);
  try {
    await runPaidCall(caller, services, call, call, already);
  } finally {
    caller.release();
  }
}

/** A socket as the caller of one of its calls. The headers of the handshake belong to the socket, not to its calls. */
class SocketCaller implements Caller {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly begunAtMs = performance.now();
  readonly key: Caller['key'];
  readonly route: string;
  readonly test: Caller['test'];
  readonly aheadMs: Caller['aheadMs'];
  readonly product: Caller['product'];
  readonly log: CallLog = {};
  bodyBytes = 0;
  readonly #res: Context['res'];
  readonly #listeners: (() => void)[] = [];

  constructor({ state, res }: Context, requestId: string, startedAtMs: number) {
    this.requestId = requestId;
    this.startedAtMs = startedAtMs;
    this.key = state.key;
    this.route = state.route;
    this.test = state.test;
    this.aheadMs = state.aheadMs;
    this.product = state.product;
    this.#res = res;
  }

  allowsPartial(): boolean {
    return false;
  }

  hasLeft(): boolean {
    return this.#res.destroyed;
  }

  onLeave(listener: () => void): void {
    this.#res.on('close', listener);
    this.#listeners.push(listener);
  }

  /** A socket has many calls: each removes its own listeners. */
  release(): void {
    for (const listener of this.#listeners) this.#res.off('close', listener);
  }
}
