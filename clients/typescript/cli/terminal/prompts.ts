import { type CANCEL_SYMBOL, confirm, isCancel, multiselect, password, select, text } from '@clack/prompts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';
import { safeText } from '../safeText.ts';

// Prompts of a terminal; ask `canAsk()` before. Ctrl-C throws `Interrupted`. An aborted `signal` takes the prompt away, and throws its
// reason. They are drawn beside the result, which may go to a file.
const output = process.stderr;

/** Ctrl-C at a prompt. */
export class Interrupted extends Failure {
  constructor() {
    super('Cancelled.', { exitCode: ExitCode.interrupted });
  }
}

export interface AskedText {
  message: string;
  placeholder?: string | undefined;
  initialValue?: string;
  /** What is wrong with the answer, if anything. */
  validate?: (value: string) => string | undefined;
  signal?: AbortSignal;
}

export interface Choice {
  value: string;
  label?: string;
  hint?: string;
}

export async function askText({ placeholder, validate, signal, ...asked }: AskedText): Promise<string> {
  const check = (value: string | undefined) => validate?.(value ?? '');
  const shown = { message: safeText(asked.message), ...(placeholder && { placeholder: safeText(placeholder) }) };
  const options = { ...asked, ...shown, validate: check, ...common(signal) };
  return answered(await text(options), signal) || '';
}

/** A text that is not shown. */
export const askSecret = async (message: string): Promise<string> => answered(await password({ message, output }));

export async function askYesNo(asked: { message: string; initialValue?: boolean }, signal?: AbortSignal) {
  return answered(await confirm({ ...asked, message: safeText(asked.message), ...common(signal) }), signal);
}

export async function askChoice(
  { message, choices, initialValue }: { message: string; choices: Choice[]; initialValue?: string | undefined },
  signal?: AbortSignal,
): Promise<string> {
  const preset = initialValue === undefined ? {} : { initialValue };
  const options = { message: safeText(message), options: choices.map(shownChoice), ...preset, ...common(signal) };
  return answered(await select<string>(options), signal);
}

export async function askMany(
  asked: { message: string; choices: Choice[]; initialValues: string[]; isRequired: boolean },
  signal?: AbortSignal,
): Promise<string[]> {
  const { message, choices, initialValues, isRequired: required } = asked;
  const shown = { message: safeText(message), options: choices.map(shownChoice) };
  const options = { ...shown, initialValues, required, ...common(signal) };
  return answered(await multiselect<string>(options), signal);
}

const shownChoice = ({ value, label = value, hint }: Choice): Choice => ({
  value,
  label: safeText(label),
  ...(hint !== undefined && { hint: safeText(hint) }),
});

const common = (signal?: AbortSignal) => ({ output, ...(signal && { signal }) });

function answered<Answer>(answer: Answer | typeof CANCEL_SYMBOL, signal?: AbortSignal): Answer {
  signal?.throwIfAborted();
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}
