import type { BodySize } from '../../base/limits.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import type { Json } from '../../providers/provider.ts';
import type { Caller } from '../caller.ts';
import type { CallServices } from '../services.ts';
import type { WholeReply } from './meteredCall.ts';
import type { StreamPresenter } from './presenter.ts';
import type { CallSize, TextCall } from './textCall.ts';
import type { BilledUsage } from './usage.ts';

/** A request of a text model that was checked: its call, and how the answer is presented. */
export interface TextOrder {
  call: TextCall;
  /** Set where the answer is streamed. */
  presenter?: StreamPresenter | undefined;
  /** The whole answer as the body of its route. */
  present(answer: BilledReply): object;
  /** The same without its effects, where presenting has some. */
  show?(answer: BilledReply): object;
  /** The error of the call in terms of its request. */
  explain?(error: unknown): unknown;
}

/** A whole reply, with its charge. */
export type BilledReply = WholeReply & { usage: BilledUsage };

/** One endpoint of text models. `Input` is a request that was parsed. */
export interface TextEndpoint<Input extends ParsedInput = ParsedInput> {
  kind: Model['kind'];
  limits: BodySize;
  /** Checks a body; throws `InvalidRequest`. */
  parse: (body: unknown) => Input;
  /** The upstream call of a request as it is. Throws 400 for a parameter that the model's price does not allow. */
  callOf(size: CallSize, input: Input, model: Model): TextCall;
  /** Completes a request by the items and files that it refers to. Throws 404 for an unknown model, item or file. */
  order(caller: Caller, services: CallServices, input: Input): TextOrder | Promise<TextOrder>;
}

interface ParsedInput {
  model: string;
  body: Json;
}
