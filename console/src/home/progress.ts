import type { Overview } from '../api/shapes.ts';

interface Key {
  revoked_at: string | null;
  last_used_at: string | null;
}

/** How far a new workspace is. */
export function progressOf(overview: Overview, keys: Key[]) {
  const live = keys.filter((key) => key.revoked_at === null);
  const hasSpent = overview.spend_month_usd > 0 || overview.spend_last_month_usd > 0;
  return {
    hasCredit: overview.balance_usd > 0 || hasSpent,
    hasKey: live.length > 0,
    isCalled: hasSpent || live.some((key) => key.last_used_at !== null),
  };
}

export type Progress = ReturnType<typeof progressOf>;

export const isDone = ({ hasCredit, isCalled }: Progress): boolean => hasCredit && isCalled;
