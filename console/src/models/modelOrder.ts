import { hasWords } from '../parts/hasWords.ts';
import type { ModelRow } from './useModelRows.ts';

/** The names of the kinds of models, in the order of their chips. */
export const KINDS: { value: ModelRow['kind']; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'embedding', label: 'Embeddings' },
  { value: 'speech', label: 'Speech' },
  { value: 'transcription', label: 'Transcription' },
  { value: 'realtime', label: 'Realtime' },
  { value: 'conversion', label: 'Voice conversion' },
];

export const kindName = (kind: ModelRow['kind']): string => KINDS.find(({ value }) => value === kind)!.label;

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
  const { prompt, completion, input_character: character, audio_minute: minute, audio_second: second } = pricing;
  const of = (price: string | undefined, times: number) => Number(price ?? 0) * times;
  return of(prompt, 1_000) + of(completion, 1_000) + of(character, 1_000) + of(minute, 1) + of(second, 60);
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
