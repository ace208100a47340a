import type { Agent } from '../../src/index.ts';
import { docText, typeText, type JsonSchema } from './typeText.ts';

/** Words that cannot name a function of a module, and what the module imports. */
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static super switch ' +
    'this throw true try typeof var void while with yield defineAgent z'
  ).split(' '),
);

/** The name of an agent's function: `sales-report` -> `salesReport`. */
export function functionName(slug: string): string {
  const name = slug.replace(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  if (RESERVED.has(name)) return `${name}Agent`;
  return /^[a-z]/i.test(name) ? name : `agent${name}`;
}

/** What a module says of an agent. */
export interface DescribedAgent
  extends
    Pick<Agent, 'name' | 'description' | 'version' | 'input_schema' | 'output_schema'>,
    Partial<Pick<Agent, 'deprecation'>> {
  pricing: Pick<Agent['pricing'], 'minimum_cost_usd' | 'maximum_cost_usd'>;
}

interface Order {
  /** What the function calls: `acme/poet`, or with a channel or version. */
  agent: string;
  /** Checks data at run time, too, by zod. */
  zod: boolean;
  /** Calls the private version of an agent of the own workspace. */
  isPrivate?: boolean;
}

/** The module of an agent: its types, and its function. The same agent always gives the same text. */
export function agentModule(agent: DescribedAgent, { agent: called, zod, isPrivate = false }: Order): string {
  const name = functionName(called.split('@')[0]!.split('/')[1]!);
  const typeName = name[0]!.toUpperCase() + name.slice(1);
  const parts = [
    { type: `${typeName}Input`, schema: agent.input_schema, what: `What ${called} takes.` },
    { type: `${typeName}Output`, schema: agent.output_schema, what: `The \`data\` that ${called} gives.` },
  ];
  const [input, output] = parts.map(({ type, schema }) => (schema ? type : undefined));
  const types = output ? `<${input ?? 'string'}, ${output}>` : input ? `<${input}>` : '';
  const checks = parts.flatMap(({ schema }, at) =>
    zod && schema ? [`${['input', 'output'][at]}: ${checkName(name, at)}`] : [],
  );
  const members = [...(isPrivate ? [`visibility: 'private'`] : []), ...checks];
  return [
    `// Written by \`ledgerline add ${called}${isPrivate ? ' --private' : ''}\` from version ${agent.version.replace(/[^\w.-]/g, '')}. Changes are lost when it is written again.\n`,
    `import { defineAgent } from 'ledgerline';\n`,
    zod && checks.length > 0 ? `import { z } from 'zod';\n` : '',
    ...parts.flatMap(({ type, schema, what }, at) =>
      schema ? [`\n${partText(type, schema, what)}`, zod ? checkText(name, at, { type, schema }) : ''] : [],
    ),
    `\n${docText(aboutText(agent, { name, called }))}`,
    `export const ${name} = defineAgent${types}(${JSON.stringify(called)}${members.length > 0 ? `, { ${members.join(', ')} }` : ''});\n`,
  ].join('');
}

const checkName = (name: string, at: number): string => `${name}${['Input', 'Output'][at]}Schema`;

function partText(type: string, schema: JsonSchema, what: string): string {
  const { description } = schema;
  const doc = docText([what, ...(typeof description === 'string' ? description.split(/\r?\n/) : [])]);
  return `${doc}export type ${type} = ${typeText(schema)};\n`;
}

/** The service checks data by the same function of zod. */
const checkText = (name: string, at: number, { type, schema }: { type: string; schema: JsonSchema }): string =>
  `\n/** Checks \`${type}\` at run time. */\n` +
  `export const ${checkName(name, at)} = z.fromJSONSchema(${JSON.stringify(schema, null, 2)}) as unknown as z.ZodType<${type}>;\n`;

function aboutText(
  { name: title, description, pricing, input_schema, deprecation }: DescribedAgent,
  { name, called }: { name: string; called: string },
) {
  const sample = input_schema ? '{ … }' : "'…'";
  const { minimum_cost_usd: least, maximum_cost_usd: most } = pricing;
  return [
    `${title}: ${description}`.replaceAll(/\r?\n/g, ' '),
    '',
    `Calls ${called}, for $${least} to $${most} a run.`,
    ...(deprecation
      ? [`@deprecated ${deprecation.message ?? 'It stops taking orders.'}`.replaceAll(/\r?\n/g, ' ')]
      : []),
    `@example const { ${input_schema ? 'data' : 'output'}, costUsd } = await ${name}(${sample});`,
  ];
}
