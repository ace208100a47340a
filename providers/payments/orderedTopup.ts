import type Stripe from 'stripe';
import type { OrderedTopup } from '../../db/payments/autoTopups.ts';

/** An automatic top-up that begins when its card is saved, as metadata of the card's setup at Stripe. */
export const metadataOfOrdered = ({ rule, by }: OrderedTopup): Record<string, string> => ({
  auto_topup_threshold_nanos: String(rule.thresholdNanos),
  auto_topup_amount_nanos: String(rule.amountNanos),
  auto_topup_monthly_cap_nanos: String(rule.monthlyCapNanos),
  ordered_by_request: by.requestId,
  ...(by.keyId !== null && { ordered_by_key: by.keyId }),
  ...(by.userId !== undefined && { ordered_by_user: by.userId }),
});

/** What the metadata of a setup says of it; undefined: no automatic top-up was ordered with the card. */
export function orderedIn(metadata: Stripe.Metadata | null | undefined): OrderedTopup | undefined {
  const {
    auto_topup_threshold_nanos: threshold,
    auto_topup_amount_nanos: amount,
    auto_topup_monthly_cap_nanos: monthlyCap,
    ordered_by_request: requestId,
    ordered_by_key: keyId = null,
    ordered_by_user: userId,
  } = metadata ?? {};
  if (!isNanos(threshold) || !isNanos(amount) || !isNanos(monthlyCap) || requestId === undefined) return undefined;
  return {
    rule: { thresholdNanos: BigInt(threshold), amountNanos: BigInt(amount), monthlyCapNanos: BigInt(monthlyCap) },
    by: { keyId, requestId, ...(userId !== undefined && { userId }) },
  };
}

const isNanos = (text: string | undefined): text is string => /^\d{1,18}$/.test(text ?? '');
