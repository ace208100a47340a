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

  abstract delivered(): Quantities | undefined;

  /** So many units as they are billed. */
  protected abstract billed(units: number): Quantities;

  whole(): Quantities {
    return this.billed(this.counted);
  }

  unbilled(): Quantities {
    return this.billed(0);
  }

  /** Where this process ends, killed or not, a client pays for what it can use. */
  certain(): Quantities {
    return this.delivered() ?? this.unbilled();
  }

  consumed(): Quantities {
    return this.billed(this.counted);
  }
}
