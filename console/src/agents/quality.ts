import type { components } from '../api/openapi.d.ts';
import { countText } from '../parts/figures.tsx';

export type Quality = components['schemas']['AgentQuality'];

/** A share in per cent; a dash when it is unknown. */
export const shareText = (share: number | null | undefined): string =>
  share === null || share === undefined ? '—' : `${(share * 100).toFixed(share === 1 ? 0 : 1)} %`;

/** The quality of an agent in one line. */
export function qualityText({ runs, completion_rate: rate, days }: Quality): string {
  if (runs === 0) return 'No runs yet';
  return `${shareText(rate)} completed of ${countText(runs)} in ${days} days`;
}
