import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { readEvaluation, EVALUATION, type Evaluation } from './evaluation.ts';
import { isObject, readExamples, type Example } from './examples.ts';
import { FolderFault, startOf, type Place } from './fault.ts';
import { JsonFile, type Path } from './jsonFile.ts';
import type { PartialConfiguration } from './members.ts';

/** An agent as files. */
export interface AgentFolder {
  path: string;
  namespace: string;
  slug: string;
  /** What the files name; without the icon, which is a file of the service. */
  configuration: PartialConfiguration;
  icon: { file: string; bytes: Uint8Array } | undefined;
  examples: Example[];
  evaluation: Evaluation | undefined;
  /** What a reader of the folder may want to know: files that are not part of the agent. */
  notes: string[];
  /** Where a part of the configuration is. */
  placeOf: (path: Path) => Place;
}

const MAIN = 'agent.json';
const INSTRUCTIONS = 'instructions.md';
const SCHEMAS = { 'input.schema.json': 'input_schema', 'output.schema.json': 'output_schema' } as const;
const ICONS = ['icon.png', 'icon.jpg', 'icon.jpeg', 'icon.webp', 'icon.gif'];
const PROMPTS_MAX = 10;

/** Reads the folder of an agent. Throws a `FolderFault` with the place of what is wrong. */
export async function readFolder(folder: string): Promise<AgentFolder> {
  const path = resolve(folder);
  const json = await readMain(path);
  const { $schema: _schema, namespace, slug, ...members } = json.value as Record<string, unknown>;
  const names = { namespace: nameIn(json, 'namespace', namespace), slug: nameIn(json, 'slug', slug) };
  const parts = await readParts(path, json, members);
  const { examples, others } = await readExamples(path, Boolean(parts.members.input_schema));
  const prompts = examples.filter(({ prompt }) => prompt !== null).slice(0, PROMPTS_MAX);
  const isListed = parts.members.example_prompts !== undefined;
  const icon = await readIcon(path, json, members);
  return {
    path,
    ...names,
    configuration: {
      ...parts.members,
      ...(!isListed && prompts.length > 0 && { example_prompts: prompts.map(({ prompt }) => prompt!) }),
    },
    icon,
    examples,
    evaluation: await readEvaluation(path, examples),
    notes: [...(await strangers(path)), ...others.map(notPart), ...(isListed ? [] : notesOf(examples, prompts))],
    placeOf: ([member, ...rest]) => {
      const part = parts.placeIn(String(member), rest);
      if (part) return part;
      if (member === 'icon_file_id' && icon) return startOf(icon.file);
      const example = member === 'example_prompts' && !isListed ? prompts[Number(rest[0])] : undefined;
      return example ? example.placeOf(rest.slice(1)) : json.placeOf(member === undefined ? [] : [member, ...rest]);
    },
  };
}

async function readMain(path: string): Promise<JsonFile> {
  const text = await readFile(join(path, MAIN), 'utf8').catch(() => undefined);
  if (text === undefined) {
    const message = `There is no ${MAIN} in ${path}. \`ledgerline init ${basename(path)}\` begins an agent.`;
    throw new FolderFault({ place: startOf(MAIN), message });
  }
  const json = new JsonFile(MAIN, text);
  if (!isObject(json.value)) throw new FolderFault({ place: json.placeOf([]), message: `${MAIN} is an object.` });
  return json;
}

function nameIn(json: JsonFile, member: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  const message = `Add "${member}": callers name the agent by <namespace>/<slug>, lowercase words joined by hyphens.`;
  throw new FolderFault({ place: json.placeOf([member]), message });
}

/** The members with those that have a file of their own. */
async function readParts(path: string, json: JsonFile, members: Record<string, unknown>) {
  const files = new Map<string, { value: unknown; placeOf: (path: Path) => Place }>();
  const instructions = await readFile(join(path, INSTRUCTIONS), 'utf8').catch(() => undefined);
  if (instructions !== undefined)
    files.set('instructions', {
      value: instructions.replaceAll('\r\n', '\n').trim(),
      placeOf: () => startOf(INSTRUCTIONS),
    });
  for (const [file, member] of Object.entries(SCHEMAS)) {
    const text = await readFile(join(path, file), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const schema = new JsonFile(file, text);
    files.set(member, { value: schema.value, placeOf: (inner) => schema.placeOf(inner) });
  }
  for (const [member, { placeOf }] of files)
    if (members[member] !== undefined) throw new FolderFault(namedTwice(json, member, placeOf([]).file));
  const values = Object.fromEntries([...files].map(([member, { value }]) => [member, value]));
  return {
    members: { ...members, ...values } as PartialConfiguration,
    placeIn: (member: string, rest: Path) => files.get(member)?.placeOf(rest),
  };
}

const namedTwice = (json: JsonFile, member: string, file: string) => ({
  place: json.placeOf([member]),
  message: `"${member}" is in ${file}, too: keep one of them.`,
});

async function readIcon(path: string, json: JsonFile, members: Record<string, unknown>): Promise<AgentFolder['icon']> {
  for (const file of ICONS) {
    const bytes = await readFile(join(path, file)).catch(() => undefined);
    if (!bytes) continue;
    if (members.icon_file_id) throw new FolderFault(namedTwice(json, 'icon_file_id', file));
    return { file, bytes: new Uint8Array(bytes) };
  }
  return undefined;
}

const KNOWN = [MAIN, INSTRUCTIONS, EVALUATION, ...Object.keys(SCHEMAS), ...ICONS];
const OWN_JSON = /^(?:package(?:-lock)?|tsconfig|jsr|deno)\.json$/;

/** Files that look like a part of the agent under another name. */
async function strangers(path: string): Promise<string[]> {
  const files = await readdir(path);
  const alike = (file: string) =>
    (file.endsWith('.json') && !OWN_JSON.test(file)) || /^(?:instructions?|icon)\./.test(file);
  return files.filter((file) => alike(file) && !KNOWN.includes(file)).map(notPart);
}

const notPart = (file: string): string => `${file} is not part of the agent.`;

function notesOf(examples: Example[], prompts: Example[]): string[] {
  const whole = examples.filter(({ prompt }) => prompt === null).map(({ file }) => file);
  const more = examples.length - whole.length - prompts.length;
  return [
    ...(whole.length > 0
      ? [`${whole.join(', ')}: tried by \`dev\` and \`eval\`, but no example prompt, which is one text or object.`]
      : []),
    ...(more > 0
      ? [`The first ${PROMPTS_MAX} examples are the example prompts; \`example_prompts\` in ${MAIN} names others.`]
      : []),
  ];
}
