import { z } from 'zod';
import type { Model } from '../catalog/catalog.ts';
import { RUN_METERS, type AgentConfiguration, type MeterId } from '../entities/agentJson.ts';
import { OFFICE_TYPES } from '../files/officeTypes.ts';
import { faultsOfApprovals } from './approvals.ts';
import { httpToolFaults, toolNamesOf, type HttpToolsKnown } from './httpTools.ts';
import { memorySettings } from './memorySettings.ts';
import { faultsOfExamples, modelSettings } from './modelSettings.ts';

export type { AgentConfiguration };

/** The input that an agent accepts. */
interface AgentInput {
  text: boolean;
  files: boolean;
  /** One object that fits the agent's input schema, instead of texts. */
  data: boolean;
  accepted_media_types: string[];
}

const FILE_TOOLS = ['read_file', 'list_files', 'search_files', 'run_code'];
const READABLE_TYPES = [
  'text/plain',
  'text/markdown',
  'text/csv',
  'text/tab-separated-values',
  'text/html',
  'text/css',
  'text/javascript',
  'application/json',
  'application/jsonl',
  'application/xml',
  'application/yaml',
  'application/pdf',
  ...Object.values(OFFICE_TYPES),
  'image/svg+xml',
];
// A vision model gets them from read_file, and programs may read them.
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/**
 * The input that an agent accepts: files if it has a tool to read them, and the images and audio (`inputMediaTypes`) that the agents'
 * model accepts itself.
 */
export function agentInputOf(
  { tools, input_schema: schema }: Pick<AgentConfiguration, 'tools' | 'input_schema'>,
  { inputMediaTypes = [] }: Pick<Model, 'inputMediaTypes'>,
): AgentInput {
  const readable = tools.some((name) => FILE_TOOLS.includes(name)) ? [...READABLE_TYPES, ...PICTURE_TYPES] : [];
  const accepted = [...new Set([...readable, ...inputMediaTypes])];
  const isTyped = Boolean(schema);
  return { text: !isTyped, files: accepted.length > 0, data: isTyped, accepted_media_types: accepted };
}

/** An error in a configuration, or a suggestion. `path` is a JSON pointer into it. */
export interface Finding {
  severity: 'blocking' | 'advisory';
  code: string;
  path: string;
  message: string;
}

/** The names that a configuration may refer to. Plugins as `<plugin_id>@<version>`. */
export interface Known {
  tools: ReadonlySet<string>;
  plugins: ReadonlySet<string>;
  /** Ids of text models. */
  models: ReadonlySet<string>;
  iconFileIds: ReadonlySet<string>;
  /** Needed by an agent with HTTP tools. */
  httpTools?: HttpToolsKnown;
}

const COST_USD_MAX = 1_000;
export const NANO_DIGITS = 9;
export const RATE_DIGITS = 12;

const text = (charactersMax: number) => z.string().trim().min(1, 'must not be empty').max(charactersMax);
/** A price or limit in US dollars, with at most so many decimals. */
export const usd = (digits: number) =>
  z
    .number()
    .min(0)
    .max(COST_USD_MAX)
    .refine((value) => decimalsOf(value) <= digits, `must have at most ${digits} decimals`);

/** A configuration that can be frozen and sold. */
const Configuration = z.strictObject({
  name: text(100),
  description: text(1_000),
  instructions: text(50_000),
  tools: z.array(z.string()).max(32),
  plugins: z.array(z.strictObject({ plugin_id: z.string(), version: z.string() })).max(16),
  pricing: z.strictObject({
    minimum_cost_usd: usd(NANO_DIGITS),
    maximum_cost_usd: usd(NANO_DIGITS).refine((value) => value > 0, 'must be above zero'),
    rates: z
      .array(
        z.strictObject({
          meter: z.enum(Object.keys(RUN_METERS) as [keyof typeof RUN_METERS], 'is no meter of the platform'),
          price_usd: usd(RATE_DIGITS),
        }),
      )
      .min(1, 'must price at least one meter'),
  }),
  icon_file_id: z.string().nullable(),
  categories: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase words joined by hyphens')
        .max(40),
    )
    .min(1, 'must name at least one category')
    .max(5),
  example_prompts: z.array(text(2_000)).min(1, 'must hold at least one prompt').max(10),
  ...modelSettings,
  ...memorySettings,
});

/** All errors of a configuration at once; empty when it can be frozen. */
export function checkConfiguration(configuration: unknown, known: Known): Finding[] {
  const parsed = Configuration.safeParse(configuration);
  const issues = parsed.success ? [] : parsed.error.issues;
  const names = Names.parse(configuration);
  return [
    ...issues.map(({ path, message }) => blocking('invalid', path, message)),
    ...namesOf(names, known),
    ...pricesOf(names),
    ...settingsOf(names, known),
  ];
}

/**
 * Prices below the platform's cost, in an otherwise valid configuration. A meter without a price is sold at the platform's cost, so it is
 * not included.
 */
export function costFindings(
  { pricing: { rates } }: Pick<AgentConfiguration, 'pricing'>,
  platformCosts: PlatformCosts,
): Finding[] {
  return rates.flatMap(({ meter, price_usd: priceUsd }, at) => {
    const costUsd = platformCosts[meter] ?? 0;
    if (priceUsd >= costUsd) return [];
    const message =
      `must be at least ${priceTextOf(costUsd)}, what the platform charges for a unit of ${meter}: ` +
      'raise it, or leave the meter out to sell it at that price';
    return [blocking('below_cost', ['pricing', 'rates', at, 'price_usd'], message)];
  });
}

/** The price shown where the model is free and makes runs free. */
export function freeFindings(
  { pricing: { minimum_cost_usd: minimumUsd, rates } }: Pick<AgentConfiguration, 'pricing'>,
  isFree: boolean,
): Finding[] {
  const isPriced = minimumUsd > 0 || rates.some(({ price_usd: priceUsd }) => priceUsd > 0);
  if (!isFree || !isPriced) return [];
  const message =
    'do not apply: the model is a rehearsal, which costs nothing, so runs are sold at 0 USD. Choose another model to sell them.';
  return [{ severity: 'advisory', code: 'runs_are_free', path: '/pricing', message }];
}

// 3e-7 is hard to read as a price.
const priceTextOf = (usd: number) => usd.toFixed(RATE_DIGITS).replace(/\.?0+$/, '');

// The valid members of a configuration that may be invalid elsewhere, so that one error does not prevent the other checks.
const Names = z.object({
  tools: z.array(z.string()).catch([]),
  plugins: z.array(z.object({ plugin_id: z.string(), version: z.string() })).catch([]),
  pricing: z
    .object({
      minimum_cost_usd: z.number().catch(0),
      maximum_cost_usd: z.number().catch(Infinity),
      rates: z.array(z.object({ meter: z.string() })).catch([]),
    })
    .catch({ minimum_cost_usd: 0, maximum_cost_usd: 0, rates: [] }),
  icon_file_id: z.string().nullable().catch(null),
  categories: z.array(z.string()).catch([]),
  example_prompts: z.array(z.string()).catch([]),
  model: z.string().nullish().catch(null),
  tool_choice: z.string().nullish().catch(null),
  input_schema: modelSettings.input_schema.catch(null),
  agents: z.array(z.string()).nullish().catch(null),
  requires_approval: z.array(z.string()).nullish().catch(null),
  http_tools: modelSettings.http_tools.catch(null),
});

type Names = z.output<typeof Names>;

function namesOf({ tools, plugins, icon_file_id: icon, categories }: Names, known: Known): Finding[] {
  const pluginNames = plugins.map(({ plugin_id: id, version }) => `${id}@${version}`);
  return [
    ...tools.flatMap((name, at) =>
      known.tools.has(name) ? [] : [blocking('unknown_tool', ['tools', at], `there is no tool '${name}'`)],
    ),
    ...repeated(tools).map((at) => blocking('duplicate', ['tools', at], 'is named twice')),
    ...pluginNames.flatMap((name, at) =>
      known.plugins.has(name) ? [] : [blocking('unknown_plugin', ['plugins', at], `no plugin ${name} is registered`)],
    ),
    ...repeated(pluginNames).map((at) => blocking('duplicate', ['plugins', at], 'is named twice')),
    ...repeated(categories).map((at) => blocking('duplicate', ['categories', at], 'is named twice')),
    ...(icon === null || known.iconFileIds.has(icon)
      ? []
      : [blocking('unknown_icon', ['icon_file_id'], 'must be an image that was uploaded with the purpose agent_icon')]),
  ];
}

function pricesOf({ pricing }: Names): Finding[] {
  const { minimum_cost_usd: minimum, maximum_cost_usd: maximum, rates } = pricing;
  const twice = repeated(rates.map(({ meter }) => meter));
  return [
    ...twice.map((at) => blocking('duplicate', ['pricing', 'rates', at, 'meter'], 'is priced twice')),
    ...(minimum <= maximum
      ? []
      : [blocking('invalid', ['pricing', 'minimum_cost_usd'], 'must not be above maximum_cost_usd')]),
  ];
}

function settingsOf(names: Names, known: Known): Finding[] {
  const { model, tool_choice: choice, tools, example_prompts: prompts, http_tools: own } = names;
  const { models, httpTools = { isSigned: false, loopback: false } } = known;
  const examples = [...faultsOfExamples(names, prompts)];
  return [
    ...(model && !models.has(model)
      ? [blocking('unknown_model', ['model'], `must be one of ${[...models].join(', ')}`)]
      : []),
    ...httpToolFaults(own ?? [], httpTools, new Set([...known.tools, ...tools])).map((fault) => blocking(...fault)),
    ...(choice && ![...TOOL_CHOICES, ...toolNamesOf({ tools, http_tools: own ?? [] })].includes(choice)
      ? [blocking('unknown_tool', ['tool_choice'], 'must be auto, required or one of the tools')]
      : []),
    ...faultsOfApprovals(names).map(([at, message]) => blocking('unknown_tool', ['requires_approval', at], message)),
    ...examples.map(([at, message]) => blocking('example_invalid', ['example_prompts', at], message)),
  ];
}

const TOOL_CHOICES = ['auto', 'required'];

const repeated = (names: string[]): number[] => names.flatMap((name, at) => (names.indexOf(name) < at ? [at] : []));

const blocking = (code: string, path: PropertyKey[], message: string): Finding => ({
  severity: 'blocking',
  code,
  path: pointerOf(path),
  message,
});

// RFC 6901: "~" and "/" within a name are escaped.
const pointerOf = (path: PropertyKey[]) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

// 2.5e-7 prints in exponent form.
function decimalsOf(value: number): number {
  const [digits, exponent] = String(value).split('e');
  return Math.max(0, (digits!.split('.')[1]?.length ?? 0) - Number(exponent ?? 0));
}

/** The platform's unit costs of runs, in US dollars. No agent is cheaper for its caller, unless it is subsidised. */
export type PlatformCosts = Partial<Record<MeterId, number>>;
