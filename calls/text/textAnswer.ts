import type { Model } from '../../db/catalog/catalog.ts';
import type { Quantities } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { Usage } from '../../providers/provider.ts';
import type { Delivery } from '../delivery.ts';
import type { PaidCall } from '../paidCall.ts';
import type { Price, Reserved } from '../reserve.ts';
import { growingPrice, quantitiesOf, ZERO_USAGE, type TextCall } from './textCall.ts';

/** What whole and streamed answers share: a hold that can grow, and a bill by tokens. */
export abstract class TextAnswer<Answer, To extends Delivery<Answer>> implements PaidCall<Answer, To> {
  readonly model: Model;
  readonly price: Price;
  /** The billed usage: zero until the answer, or its paid part, is produced. */
  protected usage = ZERO_USAGE;
  protected finishReason: string | null = null;

  /** `wholeNanos` is the first hold of an account with enough money. */
  constructor(call: TextCall, wholeNanos: bigint) {
    this.model = call.model;
    this.price = growingPrice(call, wholeNanos);
  }

  abstract produce(reserved: Reserved, abort: CallAbort, to: To): Promise<Answer>;
  abstract countLeastNanos(): Promise<bigint>;
  abstract consumed(): Promise<Quantities>;

  get details(): PaidCall['details'] {
    const { finishReason, usage } = this;
    if (this.model.kind === 'embedding') return undefined;
    const { cachedInputTokens = 0, reasoningTokens = 0 } = usage;
    return { finishReason, cachedTokens: cachedInputTokens, reasoningTokens };
  }

  protected billed(usage: Usage): Quantities {
    return quantitiesOf(this.model, usage);
  }

  whole(): Quantities {
    return this.billed(this.usage);
  }

  unbilled(): Quantities {
    return this.billed(ZERO_USAGE);
  }
}
