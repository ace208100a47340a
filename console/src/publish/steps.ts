import type { FieldErrors } from './configuration.ts';

export type StepName = 'what' | 'tools' | 'price' | 'try';

/** The steps of a draft, and the members of it that each has. */
export const STEPS: { name: StepName; label: string; hint: string; members: string[] }[] = [
  {
    name: 'what',
    label: 'About',
    hint: 'What callers see',
    members: ['name', 'description', 'instructions', 'categories', 'example_prompts', 'icon_file_id'],
  },
  {
    name: 'tools',
    label: 'Tools',
    hint: 'Model, tools, schemas',
    members: [
      'tools',
      'http_tools',
      'plugins',
      'agents',
      'question_forms',
      'requires_approval',
      'model',
      'tool_choice',
      'max_steps',
      'compaction',
      'temperature',
      'input_schema',
      'output_schema',
      'memory_days',
    ],
  },
  { name: 'price', label: 'Price', hint: 'Cost and earnings', members: ['pricing'] },
  { name: 'try', label: 'Try', hint: 'Run, then submit', members: [] },
];

/** The steps with an error of the server. */
export const stepsWith = (errors: FieldErrors): StepName[] =>
  STEPS.filter(({ members }) =>
    errors.some(({ path }) => members.some((member) => path === member || path.startsWith(`${member}.`))),
  ).map(({ name }) => name);
