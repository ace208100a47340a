import { bytes, number, span, usd } from '../format.ts';
import type { Engine, Prices, Probe } from './starters.ts';

const NAMES: Record<string, string> = {
  input_tokens: 'input',
  cached_input_tokens: 'cached input',
  cache_write_tokens: 'cache write',
  output_tokens: 'output',
};

/** `input $0.40, output $1.60 for 1M tokens`. */
export const pricesText = (prices: Prices): string =>
  `${Object.entries(prices)
    .map(([unit, amount]) => `${NAMES[unit] ?? unit} ${usd(amount)}`)
    .join(', ')} for 1M tokens`;

export function probeText({ answer, duration_ms: ms, input_tokens: read, output_tokens: written }: Probe): string {
  const tokens = read === null || written === null ? '' : `, ${number(read + written)} tokens`;
  return `It answered “${answer}” in ${span(ms ?? 0)}${tokens}.`;
}

/** What an engine needs, before it is fetched. */
export function needsText({ title, machine, ...engine }: Engine): string {
  const free = (count: number | undefined): string => (count === undefined ? '' : ` (${bytes(count)} free there)`);
  const { tokens_per_second, seconds_per_task, on } = engine.measured;
  return [
    `${title}: ${bytes(engine.disk_bytes)} of the disk, ${bytes(engine.disk_bytes_while_fetched)} while it is fetched` +
      free(machine?.disk_available_bytes),
    `${bytes(engine.memory_bytes)} of memory${free(machine?.memory_available_bytes)}`,
    `${tokens_per_second} tokens a second and ${seconds_per_task} s for a question with tools, measured on ${on}`,
  ].join('\n  ');
}
