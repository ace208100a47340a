import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { AgentInput } from '../../src/index.ts';
import { usageError } from '../failure.ts';
import { parseJson } from '../options.ts';
import { askText } from '../terminal/prompts.ts';
import { canAsk } from '../terminal/terminal.ts';

export interface InputOptions {
  data?: string;
  inputFile?: string;
}

/** The input of a run: words, `--data`, `--input-file`, or stdin; asked for where a person is there and gave none. */
export async function inputOf(words: string[], options: InputOptions, hasFiles: boolean): Promise<AgentInput> {
  const { data, inputFile } = options;
  const given = [words.length > 0 && 'a text', data && '--data', inputFile && '--input-file'].filter(Boolean);
  if (given.length > 1) throw usageError(`Give one input: ${given.join(' or ')}.`);
  if (data !== undefined) return dataOf(await textIn(data));
  if (inputFile !== undefined) return inputFile === '-' ? text(process.stdin) : readFile(inputFile, 'utf8');
  if (words.length === 1 && words[0] === '-') return text(process.stdin);
  if (words.length > 0) return words.join(' ');
  const piped = process.stdin.isTTY ? '' : await text(process.stdin);
  if (piped.trim() !== '') return piped;
  if (hasFiles) return [];
  if (!canAsk()) throw usageError('The run has no input.', 'Give a text, --data, --input-file, or send it to stdin.');
  return askText({ message: 'What should it do?', validate: (line) => (line.trim() ? undefined : 'Say something.') });
}

/** `@path` is the content of a file, `-` of stdin, as in curl. */
async function textIn(value: string): Promise<string> {
  if (value === '-' || value === '@-') return text(process.stdin);
  return value.startsWith('@') ? readFile(value.slice(1), 'utf8') : value;
}

function dataOf(json: string): Record<string, unknown> {
  const data = parseJson(json);
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Record<string, unknown>;
  throw usageError('--data is a JSON object, such as \'{"topic": "rain"}\'.');
}
