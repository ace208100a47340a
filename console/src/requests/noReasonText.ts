import type { RequestRow } from '../api/shapes.ts';

const KEPT_MS = 7 * 86_400_000;

/** Why a failed call shows no reason, and where it is. */
export function noReasonText(
  { product, started_at: at }: Pick<RequestRow, 'product' | 'started_at'>,
  nowMs: number,
): string {
  if (nowMs - Date.parse(at) > KEPT_MS) return 'The reason is no longer kept: 7 days have passed.';
  return product === 'batch' ? 'The error file of its batch has the reason of each line.' : 'No reason was recorded.';
}
