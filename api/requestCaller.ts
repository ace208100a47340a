import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidRequest } from '../base/errors/requestErrors.ts';
import type { Caller, CallLog } from '../calls/caller.ts';
import { PARTIAL_HEADER } from '../calls/reserve.ts';
import type { CallProduct } from '../db/catalog/products.ts';
import type { KeptCall } from '../db/answers/keptCall.ts';
import { newId } from '../db/ids.ts';
import type { Key } from '../db/keys/keys.ts';
import type { TestCall } from '../providers/provider.ts';

/** A request as a paying caller. */
export class RequestCaller implements Caller {
  readonly requestId = newId('req');
  readonly startedAtMs = Date.now();
  readonly begunAtMs = performance.now();
  readonly log: CallLog & {
    /** The model or agent named in a refused body. */
    asked?: string;
  } = {};
  /** The route's path as in the route table: `/v1/models/:id`. */
  route: string;
  bodyBytes = 0;
  /** Set by the guard `key`. */
  declare key: Key;
  /** Set with a test key: what the request's calls ask of upstreams. */
  declare test?: TestCall;
  /** Set with a test key: how far the clock of its workspace is ahead. */
  declare aheadMs?: number;
  /** Set in voice sessions, which are a separate product whatever their models. */
  declare product?: CallProduct;
  /** Set by `retryable`: the call whose answer is stored. */
  declare kept?: KeptCall;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;

  constructor(req: IncomingMessage, res: ServerResponse, route: string) {
    this.#req = req;
    this.#res = res;
    this.route = route;
  }

  allowsPartial(): boolean {
    const said = this.#req.headers[PARTIAL_HEADER];
    if (said === undefined || said === 'false') return false;
    if (said === 'true') return true;
    throw invalidRequest('invalid_value', `The header ${PARTIAL_HEADER} is "true" or "false".`, PARTIAL_HEADER);
  }

  hasLeft(): boolean {
    return this.kept ? !this.kept.isRead : this.#res.destroyed;
  }

  // The listener stays attached: when it was removed, two of three processes under load from their start retained whole requests until a
  // major garbage collection, and served a third less.
  onLeave(listener: () => void): void {
    // A call with a stored answer continues for a moment, because its client may reconnect.
    if (this.kept) this.kept.onGone = listener;
    else this.#res.on('close', listener);
  }
}
