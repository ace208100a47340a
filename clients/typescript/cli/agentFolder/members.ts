import type { components } from '../../src/index.ts';

export type Configuration = Required<components['schemas']['DraftChange']>;
export type PartialConfiguration = components['schemas']['DraftChange'];

/**
 * Every member of a configuration, as it is when a folder does not name it. A member that leaves a folder leaves the draft, too. Complete:
 * the compiler asks for each member of the service.
 */
const UNSET: Configuration = {
  name: '',
  description: '',
  instructions: '',
  tools: [],
  plugins: [],
  pricing: { minimum_cost_usd: 0, maximum_cost_usd: 0, rates: [] },
  icon_file_id: null,
  categories: [],
  example_prompts: [],
  model: null,
  max_steps: null,
  compaction: null,
  temperature: null,
  tool_choice: null,
  input_schema: null,
  output_schema: null,
  accepts_response_format: false,
  agents: null,
  question_forms: false,
  requires_approval: null,
  http_tools: null,
  memory_days: null,
};

/** The whole configuration of what a folder names. Members that are unknown here stay: the service decides about them. */
export const completed = (named: PartialConfiguration): Configuration => ({ ...UNSET, ...named });

/** The members of a configuration that say something. */
export const said = (configuration: PartialConfiguration): PartialConfiguration =>
  Object.fromEntries(
    Object.entries(configuration).filter(
      ([name, value]) => textOf(value) !== textOf(UNSET[name as keyof Configuration] ?? null),
    ),
  );

/** The members in which two configurations differ. */
export function changedMembers(one: PartialConfiguration, other: PartialConfiguration): string[] {
  const [before, after] = [completed(one), completed(other)] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys({ ...before, ...after }).filter((name) => textOf(before[name]) !== textOf(after[name]));
}

// The order of members means nothing.
const textOf = (value: unknown): string => JSON.stringify(value ?? null, sorted);

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
