import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Example, Input } from './examples.ts';
import { isObject } from './examples.ts';
import { FolderFault, startOf, type Place } from './fault.ts';
import { JsonFile, type Path } from './jsonFile.ts';

export const EVALUATION = 'evaluation.json';

export interface Case {
  name: string;
  input: Input;
  /** The folder of the files that the input names. */
  folder: string;
  checks: unknown[];
}

/** The evaluation set of a folder: each example with the checks of all, and with those of its own case. */
export interface Evaluation {
  cases: Case[];
  /** The limit of a run of the set. */
  maxCostUsd: number | undefined;
  /** Where a part of the set's cases is. */
  placeOf: (path: Path) => Place;
}

const MEMBERS = ['$schema', 'checks', 'cases', 'max_cost_usd'];

/** Reads `evaluation.json`; undefined without one. */
export async function readEvaluation(folder: string, examples: Example[]): Promise<Evaluation | undefined> {
  const text = await readFile(join(folder, EVALUATION), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const json = new JsonFile(EVALUATION, text);
  const fault = (path: Path, message: string) => new FolderFault({ place: json.placeOf(path), message });
  if (!isObject(json.value)) throw fault([], 'An evaluation is an object with `checks`, `cases`, or both.');
  const unknown = Object.keys(json.value).find((name) => !MEMBERS.includes(name));
  if (unknown) throw fault([unknown], `An evaluation has ${MEMBERS.slice(1).join(', ')}, and no member '${unknown}'.`);
  const { checks = [], cases = [], max_cost_usd: maxCostUsd } = json.value;
  if (!Array.isArray(checks)) throw fault(['checks'], '`checks` is a list.');
  if (!Array.isArray(cases) || !cases.every(isObject)) throw fault(['cases'], '`cases` is a list of objects.');
  if (maxCostUsd !== undefined && typeof maxCostUsd !== 'number') throw fault(['max_cost_usd'], 'This is a number.');
  const placed = placedCases(examples, { folder, checks, cases, fault });
  if (placed.length === 0) throw fault([], 'No case has checks: add some to `checks`, which each example then has.');
  return {
    cases: placed.map(({ case: one }) => one),
    maxCostUsd,
    placeOf: ([at, member, ...rest]) => {
      const found = placed[Number(at)];
      if (!found) return startOf(EVALUATION);
      if (member === 'input' && found.example) return found.example.placeOf(rest);
      if (member !== 'checks')
        return json.placeOf(['cases', found.at, ...(member === undefined ? [] : [member, ...rest])]);
      const [check, ...inner] = rest;
      const own = Number(check) - checks.length;
      return own < 0
        ? json.placeOf(['checks', Number(check), ...inner])
        : json.placeOf(['cases', found.at, 'checks', own, ...inner]);
    },
  };
}

interface Written {
  folder: string;
  checks: unknown[];
  cases: Record<string, unknown>[];
  fault: (path: Path, message: string) => FolderFault;
}

interface Placed {
  case: Case;
  example?: Example | undefined;
  /** Its place in the file's `cases`; that of no case for an example without one. */
  at: number;
}

/** The examples in their order, then the cases that have an input of their own. */
function placedCases(examples: Example[], { folder, checks, cases, fault }: Written): Placed[] {
  const rests = cases.map(({ name, input, checks: own = [], ...rest }, at) => {
    if (typeof name !== 'string') throw fault(['cases', at], 'A case has a `name`.');
    if (!Array.isArray(own)) throw fault(['cases', at, 'checks'], '`checks` is a list.');
    if (Object.keys(rest).length > 0)
      throw fault(['cases', at, Object.keys(rest)[0]!], 'A case has `name`, `input` and `checks`.');
    const example = examples.find((one) => one.name === name);
    if (example && input !== undefined)
      throw fault(['cases', at, 'input'], `The input of ${name} is in ${example.file}.`);
    if (!example && input === undefined)
      throw fault(['cases', at, 'name'], `There is no examples/${name}.json: name an example, or add an \`input\`.`);
    return { name, input: input as Input, checks: [...checks, ...own], at, example };
  });
  const ofExamples = examples.map((example): Placed => {
    const own = rests.find((rest) => rest.example === example);
    const { name, input, folder: within } = example;
    const all = own?.checks ?? checks;
    return { case: { name, input, folder: within, checks: all }, example, at: own?.at ?? -1 };
  });
  const others = rests
    .filter(({ example }) => !example)
    .map(({ name, input, checks: all, at }): Placed => ({ case: { name, input, folder, checks: all }, at }));
  return [...ofExamples, ...others].filter(({ case: { checks: all } }) => all.length > 0);
}
