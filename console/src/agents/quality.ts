import type { components } from '../api/openapi.d.ts';

export type Quality = components['schemas']['AgentQuality'];

/** A share in per cent; a dash when it is unknown. */
export const shareText = (share: number | null | undefined): string =>
  share === null || share === undefined ? '—' : `${(share * 100).toFixed(share === 1 ? 0 : 1)} %`;
