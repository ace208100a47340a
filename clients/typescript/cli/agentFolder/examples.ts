import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { components } from '../../src/index.ts';
import { FolderFault, startOf, type Place } from './fault.ts';
import { JsonFile, type Path } from './jsonFile.ts';

export type RunInput = components['schemas']['TestRunOrder']['input'];

/** An input in a folder: that of a run, whose files may be named by a `path` in the folder. */
export type Input = string | Record<string, unknown>[];

/** An input that the agent is tried with. */
export interface Example {
  /** Its file's name without the ending. */
  name: string;
  file: string;
  input: Input;
  /** The folder of the files that the input names. */
  folder: string;
  /** The example prompt that it is; null for an input that is more than a text or data. */
  prompt: string | null;
  /** Where a part of the input is. */
  placeOf: (path: Path) => Place;
}

const FOLDER = 'examples';
const TEXTS = ['.txt', '.md'];

/** The examples of a folder, by the order of their names, and the files beside them that are none. */
export async function readExamples(
  folder: string,
  isTyped: boolean,
): Promise<{ examples: Example[]; others: string[] }> {
  const names = (await readdir(join(folder, FOLDER)).catch(() => [])).toSorted((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const examples: Example[] = [];
  const others: string[] = [];
  for (const file of names) {
    const ending = extname(file);
    if (ending !== '.json' && !TEXTS.includes(ending)) others.push(`${FOLDER}/${file}`);
    else {
      const text = await readFile(join(folder, FOLDER, file), 'utf8');
      examples.push({ ...exampleOf(`${FOLDER}/${file}`, text, isTyped), folder: join(folder, FOLDER) });
    }
  }
  return { examples, others };
}

function exampleOf(file: string, text: string, isTyped: boolean): Omit<Example, 'folder'> {
  const name = file.slice(FOLDER.length + 1, -extname(file).length);
  if (!file.endsWith('.json'))
    return { name, file, input: text.trim(), prompt: text.trim(), placeOf: () => startOf(file) };
  const json = new JsonFile(file, text);
  // The data of an object is in an item of the input.
  const placeOf = (path: Path) => json.placeOf(isObject(json.value) ? path.slice(2) : path);
  return { name, file, placeOf, ...inputOf(json, isTyped) };
}

/** A text is a text, an object the data of an agent with an input schema, and a list the items of a run's input. */
function inputOf(json: JsonFile, isTyped: boolean): Pick<Example, 'input' | 'prompt'> {
  const { value } = json;
  if (typeof value === 'string') return { input: value, prompt: value };
  if (Array.isArray(value)) return { input: value, prompt: promptOf(value) };
  if (isObject(value) && isTyped)
    return { input: [{ type: 'input_data', data: value }], prompt: JSON.stringify(value) };
  const message = isObject(value)
    ? 'An object is the input of an agent with an input.schema.json: write a text in quotes, or a list of items.'
    : 'An example is a text in quotes, an object that fits input.schema.json, or a list of items.';
  throw new FolderFault({ place: json.placeOf([]), message });
}

/** What a review can send: one text, or one object. */
function promptOf(items: Record<string, unknown>[]): string | null {
  const [item, ...more] = items;
  if (!item || more.length > 0) return null;
  if (item.type === 'input_text' && typeof item.text === 'string') return item.text;
  return item.type === 'input_data' ? JSON.stringify(item.data) : null;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
