import type { Model } from '../db/catalog/catalog.ts';
import type { Quantities } from '../db/money.ts';
import type { CallAbort } from '../providers/callAbort.ts';
import type { Delivery } from './delivery.ts';
import type { PaidCall } from './paidCall.ts';
import type { Price, Reserved } from './reserve.ts';

/** A paid call that is billed by what its engine has worked through: characters that were spoken, milliseconds of sound that were read. */
export abstract class CountedCall<Answer = void, To extends Delivery<Answer> = Delivery<Answer>> implements PaidCall<
  Answer,
  To
> {
  abstract readonly model: Model;
  abstract readonly price: Price;
  /** Units that the engine has worked through. */
  protected counted = 0;

  abstract produce(reserved: Reserved, abort: CallAbort, to: To): Promise<Answer>;

  /** So many units as they are billed. */
  protected abstract billed(units: number): Quantities;

  whole(): Quantities {
    return this.billed(this.counted);
  }

  unbilled(): Quantities {
    return this.billed(0);
  }

  certain(): Quantities {
    return this.billed(this.counted);
  }

  consumed(): Quantities {
    return this.billed(this.counted);
  }
}
