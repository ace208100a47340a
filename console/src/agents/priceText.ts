import type { components } from '../api/openapi.d.ts';
import { centsText, usdText } from '../parts/figures.tsx';

type Range = Pick<components['schemas']['Agent']['pricing'], 'minimum_cost_usd' | 'maximum_cost_usd'>;

const shortText = (usd: number): string => (usd > 0 && usd < 0.01 ? usdText(usd) : centsText(usd));

/** The price of a run in few words: `$0.01 – $0.50`, `up to $0.50`. */
export function priceText({ minimum_cost_usd: low, maximum_cost_usd: high }: Range): string {
  if (low === high) return `${shortText(high)} a run`;
  return low > 0 ? `${shortText(low)} – ${shortText(high)}` : `up to ${shortText(high)}`;
}

/** The first words of a description in Markdown, without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/```[^]*?```/g, ' ')
    .replaceAll(/^\s{0,3}(#{1,6}|[-*+]|\d+\.|>)\s+/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*|__|`)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
