import { useModels } from '../api/models.ts';
import type { components } from '../api/openapi.d.ts';

export type Model = components['schemas']['Model'];
export type Kind = Model['kind'];

/** The models of a kind, with their prices; undefined until they are known. */
export function useModelsOf(kind: Kind): Model[] | undefined {
  return useModels().data?.data.filter((model) => model.kind === kind);
}

export const modelNamed = (models: Model[] | undefined, name: string): Model | undefined =>
  models?.find(({ id }) => id === name) ?? models?.find(({ aliases }) => aliases.includes(name));

const MILLION = 1_000_000;
const price = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });
const usd = (text: string | undefined, times = 1): string =>
  price.format(Number((Number(text ?? 0) * times).toFixed(9)));

/** The price in the unit that its kind is compared by: `$0.30 in · $2.50 out`. */
export function priceText({ kind, pricing }: Model): string {
  switch (kind) {
    case 'text':
    case 'agent':
      return `${usd(pricing.prompt, MILLION)} in · ${usd(pricing.completion, MILLION)} out`;
    case 'embedding':
      return `${usd(pricing.prompt, MILLION)} in`;
    case 'speech':
      return `${usd(pricing.input_character, MILLION)} / 1M characters`;
    case 'transcription':
    case 'realtime':
      return `${usd(pricing.audio_minute)} / minute`;
    case 'conversion':
      return `${usd(pricing.audio_second, 60)} / minute`;
    default:
      return kind satisfies never;
  }
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const compactWhole = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 0 });
const WHOLE_FROM = 100_000;

/** `128K`; undefined for models that count no tokens. */
export const contextOf = ({ context_length: tokens }: Model): string | undefined =>
  tokens ? (tokens < WHOLE_FROM ? compact : compactWhole).format(tokens) : undefined;

/** `128K context`. */
export function contextText(model: Model): string | undefined {
  const context = contextOf(model);
  return context && `${context} context`;
}

export const takesImages = (model: Model | undefined): boolean =>
  model?.architecture.input_modalities.includes('image') ?? false;
