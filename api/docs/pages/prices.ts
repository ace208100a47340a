import type { Model } from '../../../db/catalog/catalog.ts';
import type { CallUnit } from '../../../db/catalog/catalogFile.ts';
import { PRODUCT_NAMES, PRODUCT_OF_KIND } from '../../../db/catalog/products.ts';
import { escapeHtml } from '../../../base/web.ts';

const MILLION = 1_000_000n;

/** Units per displayed price, and their name. Stored prices are per single unit. */
const PRICED_FOR: Record<CallUnit, [units: bigint, name: string]> = {
  input_tokens: [MILLION, 'million input tokens'],
  output_tokens: [MILLION, 'million output tokens'],
  cached_input_tokens: [MILLION, 'million cached input tokens'],
  cache_write_tokens: [MILLION, 'million cache write tokens'],
  input_characters: [MILLION, 'million input characters'],
  output_characters: [MILLION, 'million output characters'],
  audio_minutes: [1n, 'minute of sound'],
  audio_seconds: [60n, 'minute of sound'],
};

/** What callers call its product. */
export const kindName = ({ kind }: Pick<Model, 'kind'>): string => PRODUCT_NAMES[PRODUCT_OF_KIND[kind]];

/** The catalogue for callers: one row for each model, with its names, context and unit prices. */
export function pricesTable(models: readonly Model[]): string {
  const rows = models.map(
    (
      model,
    ) => `<tr><th scope="row"><code>${escapeHtml(model.id)}</code>${aliases(model)}</th><td>${kindName(model)}</td>
<td class="number">${model.contextTokens ? model.contextTokens.toLocaleString('en-US') : '–'}</td><td class="number">${prices(model)}</td></tr>`,
  );
  return `<table class="prices"><thead><tr><th scope="col">Model</th><th scope="col">Kind</th><th scope="col" class="number">Context, tokens</th>
<th scope="col" class="number">Price, US dollars</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

const aliases = ({ aliases: names, prefixes = [] }: Model): string => {
  const shown = [...names, ...prefixes.map((prefix) => `${prefix}…`)];
  return shown.length === 0 ? '' : `<p>also ${shown.map((name) => `<code>${escapeHtml(name)}</code>`).join(' ')}</p>`;
};

const prices = ({ rates, batchRates = {} }: Model): string =>
  Object.entries(rates)
    .map(([unit, picos]) => {
      const [units, name] = PRICED_FOR[unit as CallUnit];
      const inBatch = batchRates[unit] === undefined ? '' : `, in a batch ${usdText(batchRates[unit] * units)}`;
      return `<div>${usdText(picos * units)} <small>per ${escapeHtml(name)}${inBatch}</small></div>`;
    })
    .join('');

/** A price in dollars with at least two decimals. */
export function usdText(picos: bigint): string {
  const digits = String(picos).padStart(13, '0');
  const fraction = digits.slice(-12).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -12)}.${fraction}`;
}
