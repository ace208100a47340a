import type { Model } from '../../../db/catalog/catalog.ts';
import { MODEL_KINDS } from '../../../db/catalog/catalogFile.ts';
import { escapeHtml } from '../../../base/web.ts';
import { kindName, usdText } from './prices.ts';

/** Compares the models of each kind: purpose, input, context and the main prices. */
export function modelComparison(models: readonly Model[]): string {
  return MODEL_KINDS.map((kind) => ({ kind, own: models.filter((model) => model.kind === kind) }))
    .filter(({ own }) => own.length > 0)
    .map(({ kind, own }) => `<h3>${kindName({ kind })}</h3>${tableOf(own)}`)
    .join('\n');
}

function tableOf(models: Model[]): string {
  const columns: [head: string, cell: (model: Model) => string][] = [
    ['Takes', takes],
    ['Context and answer', room],
    ['US dollars a million tokens', price],
  ];
  const shown = columns.filter(([, cell]) => models.some((model) => cell(model) !== ''));
  const head = shown.map(([name]) => `<th scope="col">${name}</th>`).join('');
  const rows = models.map(
    (model) =>
      `<tr><th scope="row"><code>${escapeHtml(model.id)}</code><p>${escapeHtml(model.description ?? '')}</p></th>${shown.map(([, cell]) => `<td>${cell(model)}</td>`).join('')}</tr>`,
  );
  return `<table class="models"><thead><tr><th scope="col">Model</th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function takes({ kind, inputMediaTypes = [] }: Model): string {
  const families = new Set(inputMediaTypes.map((type) => (type.startsWith('image/') ? 'images' : 'sound')));
  return [...(kind === 'text' ? ['text'] : []), ...families].join(', ');
}

const count = (value: number) => value.toLocaleString('en-US');

function room({ contextTokens, outputTokensMax }: Model): string {
  if (contextTokens === 0) return '';
  return outputTokensMax === 0
    ? `${count(contextTokens)} tokens`
    : `${count(contextTokens)} tokens, answers up to ${count(outputTokensMax)}`;
}

/** Prices of input and output; the table of prices has the rest. */
function price({ rates, batchRates }: Model): string {
  const { input_tokens: input, output_tokens: output } = rates;
  if (input === undefined) return '';
  if (input === 0n && !output) return 'free';
  const million = 1_000_000n;
  const both =
    output === undefined
      ? usdText(input * million)
      : `${usdText(input * million)} in, ${usdText(output * million)} out`;
  return batchRates ? `${both} <small>less in a batch</small>` : both;
}
