import type { RequestRow } from '../api/shapes.ts';
import { countText } from '../parts/figures.tsx';

type Usage = RequestRow['usage'];

/** The tokens of a call. Cached ones, and those written to the cache, are input too; those of reasoning are within the output. */
export function tokensOf(usage: Usage): { input: number | undefined; output: number | undefined } {
  const of = (pattern: RegExp) => {
    const found = usage.filter(({ unit }) => pattern.test(unit));
    return found.length === 0 ? undefined : found.reduce((sum, { quantity }) => sum + quantity, 0);
  };
  return { input: of(/input.*tokens/), output: of(/^output_tokens$/) };
}

/** `8 in / 68 out`, or the quantities of other units. */
export function unitsText(usage: Usage): string {
  if (usage.every(({ quantity }) => quantity === 0)) return '—';
  const { input, output } = tokensOf(usage);
  if (input !== undefined || output !== undefined) {
    return [input !== undefined && `${countText(input)} in`, output !== undefined && `${countText(output)} out`]
      .filter(Boolean)
      .join(' / ');
  }
  const rest = usage.filter(({ unit }) => !/cached|reasoning/.test(unit));
  return rest.map(({ quantity, unit }) => `${countText(quantity)} ${unit.replaceAll('_', ' ')}`).join(', ') || '—';
}
