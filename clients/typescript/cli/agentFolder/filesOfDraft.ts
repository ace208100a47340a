import type { components } from '../../src/index.ts';
import { said, type PartialConfiguration } from './members.ts';

type Case = components['schemas']['EvaluationSet']['cases'][number];

interface Draft {
  schema: string;
  namespace: string;
  slug: string;
  draft: PartialConfiguration;
  cases: Case[];
  icon: Uint8Array | undefined;
}

/** A draft as the files of a folder: what `readFolder` reads back as the same. */
export function filesOfDraft({
  schema,
  namespace,
  slug,
  draft,
  cases,
  icon,
}: Draft): Record<string, string | Uint8Array> {
  const {
    instructions,
    input_schema: input,
    output_schema: output,
    example_prompts: prompts = [],
    icon_file_id: _icon,
    ...members
  } = said(draft);
  return {
    'agent.json': json({ $schema: schema, namespace, slug, ...members }),
    ...(instructions !== undefined && { 'instructions.md': `${instructions}\n` }),
    ...(input && { 'input.schema.json': json(input) }),
    ...(output && { 'output.schema.json': json(output) }),
    ...examplesOf(prompts, Boolean(input)),
    ...(cases.length > 0 && { 'evaluation.json': json({ cases }) }),
    ...(icon && { [`icon.${endingOf(icon)}`]: icon }),
  };
}

const examplesOf = (prompts: string[], isTyped: boolean): Record<string, string> =>
  Object.fromEntries(
    prompts.map((prompt, at) => {
      const name = `examples/example-${at + 1}`;
      return isTyped ? [`${name}.json`, pretty(prompt)] : [`${name}.txt`, `${prompt}\n`];
    }),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const pretty = (text: string): string => (parsed(text) === undefined ? json(text) : json(parsed(text)));

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The ending of a picture, by its first bytes. */
function endingOf([first, , , , ...rest]: Uint8Array): string {
  if (first === 0xff) return 'jpg';
  if (first === 0x47) return 'gif';
  return first === 0x52 && rest.length > 0 ? 'webp' : 'png';
}
