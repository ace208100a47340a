import { hasWords } from '../parts/hasWords.ts';
import { PRICED_UNITS } from './pricedUnits.ts';
import type { ModelRow } from './useModelRows.ts';

type Order = 'newest' | 'price' | 'context' | 'latency' | 'throughput';

export const ORDERS: { value: Order | 'name'; label: string }[] = [
  { value: 'name', label: 'Name A–Z' },
  { value: 'newest', label: 'Newest' },
  { value: 'price', label: 'Lowest price' },
  { value: 'context', label: 'Longest context' },
  { value: 'latency', label: 'Lowest latency' },
  { value: 'throughput', label: 'Highest throughput' },
];

// The smallest comes first, and what is unknown last.
const RANKS: Record<Order, (row: ModelRow) => number | null | undefined> = {
  newest: ({ created }) => -created,
  price: priceRankOf,
  context: ({ context_length: tokens }) => tokens && -tokens,
  latency: ({ measured }) => measured?.first_byte_ms?.p50,
  throughput: ({ measured }) => measured?.output_tokens_per_second && -measured.output_tokens_per_second,
};

/** What a thousand tokens of prompt and of answer cost; a minute or a thousand characters of sound. */
function priceRankOf({ pricing }: ModelRow): number {
  return PRICED_UNITS.reduce((sum, { name, ranked }) => sum + Number(pricing[name] ?? 0) * ranked, 0);
}

/** The models that match every word, in an order. */
export function chooseModels(
  rows: ModelRow[],
  { words, kind, order }: { words: string; kind: string | undefined; order: string },
): ModelRow[] {
  const chosen = rows.filter((row) => {
    if (kind && row.kind !== kind) return false;
    return hasWords([row.id, row.name, ...row.aliases, row.description, row.architecture.modality].join(' '), words);
  });
  const rank = RANKS[order as Order];
  if (!rank) return chosen.toSorted((one, other) => one.name.localeCompare(other.name));
  return chosen.toSorted((one, other) => (rank(one) ?? Infinity) - (rank(other) ?? Infinity));
}
