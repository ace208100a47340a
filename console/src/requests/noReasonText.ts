import type { RequestRow } from '../api/shapes.ts';

const KEPT_MS = 7 * 86_400_000;

/** Why a failed call shows no reason, and where it is. */
export function noReasonText(
  { product, started_at: at }: Pick<RequestRow, 'product' | 'started_at'>,
  nowMs: number,
): string {
  if (product === 'batch') return 'The error file of its batch has the reason of each line.';
  return nowMs - Date.parse(at) > KEPT_MS
    ? 'The reason is no longer kept: 7 days have passed.'
    : 'No reason was recorded.';
}
