import { meterName } from '../agents/names.ts';
import { priceText } from '../parts/priceText.ts';
import { usdText } from '../parts/usdText.ts';
import type { Configuration } from './configuration.ts';
import { STEPS, type StepName } from './steps.ts';
import { capitalised } from '../parts/capitalised.ts';

/** What the members of a configuration are called in the draft's form. */
const LABELS: Record<string, string> = {
  name: 'Name',
  description: 'Description',
  instructions: 'Instructions',
  categories: 'Categories',
  example_prompts: 'Example prompts',
  icon_file_id: 'Icon',
  tools: 'Tools',
  http_tools: 'HTTP tools',
  url: 'URL',
  timeout_seconds: 'Timeout',
  plugins: 'Plugins',
  agents: 'Agents it may call',
  model: 'Model',
  tool_choice: 'Tool choice',
  max_steps: 'Max steps',
  compaction: 'Earlier turns of a long run',
  compact_threshold: 'Token threshold',
  keep_turns: 'Turns to keep',
  temperature: 'Temperature',
  input_schema: 'JSON schema of the input',
  output_schema: 'JSON schema of the output',
  memory_days: 'Days a memory is kept',
  pricing: 'Price',
  minimum_cost_usd: 'Min cost of a run',
  maximum_cost_usd: 'Max cost of a run',
  rates: 'Rates',
};

/** A place in a configuration, by its JSON pointer: its name, the step of the draft that has it, and its member. */
export function fieldAt(path: string): { label: string; step: StepName; member: string | undefined } {
  const parts = path.split('/').slice(1).map(unescaped);
  const [member] = parts;
  const step = STEPS.find(({ members }) => member !== undefined && members.includes(member))?.name ?? 'what';
  const label = parts.map((part) => (/^\d+$/.test(part) ? `no. ${Number(part) + 1}` : labelOf(part)));
  return { label: label.join(', ') || 'The whole agent', step, member };
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** `price_usd` as `Price usd`. */
const words = (name: string): string => capitalised(name).replaceAll('_', ' ');

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | null | undefined)?.[unescaped(part)], value);
}

/**
 * A value of a configuration as lines for people: texts as they are, lists one item a line, members by their names, prices in dollars. `name`
 * is that of its member, or its path. Schemas stay JSON.
 */
export function linesOf(value: unknown, name = ''): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && name.endsWith('_usd')) return usdText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(itemOf).join('\n');
  if (isRate(value)) return rateText(value);
  const members = Object.entries(value as Record<string, unknown>);
  if (members.some(([member]) => member in SCHEMA)) return JSON.stringify(value, null, 2);
  return members.map(([member, of]) => memberText(member, of)).join('\n');
}

// Members that JSON schemas have.
const SCHEMA = { type: true, properties: true, anyOf: true, $schema: true };

type Rate = Configuration['pricing']['rates'][number];

const isRate = (value: object): value is Rate => 'meter' in value && 'price_usd' in value;

// Other meters count tokens.
const UNITS: Partial<Record<Rate['meter'], string>> = { tool_calls: 'call', sandbox_seconds: 'second' };

/** A rate in one line: `Input tokens: $3.00 / 1M tokens`. */
const rateText = ({ meter, price_usd: usd }: Rate): string =>
  `${meterName(meter)}: ${priceText(usd, UNITS[meter] ?? 'token')}`;

function memberText(name: string, value: unknown): string {
  const text = linesOf(value, name);
  return Array.isArray(value) ? `${labelOf(name)}:\n${text.replaceAll(/^/gm, '  ')}` : `${labelOf(name)}: ${text}`;
}

/** An item in one line: `Type: mcp, Name: search`. */
const itemOf = (item: unknown): string => linesOf(item).replaceAll('\n', ', ');

const labelOf = (name: string): string => LABELS[name] ?? words(name);
