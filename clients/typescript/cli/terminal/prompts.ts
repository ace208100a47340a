import { type CANCEL_SYMBOL, confirm, isCancel, password, select, text } from '@clack/prompts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';

// Prompts are drawn beside the result, which may go to a file.
const output = process.stderr;

interface Asked {
  message: string;
  placeholder?: string;
  initialValue?: string;
  /** What is wrong with the answer, if anything. */
  validate?: (value: string) => string | undefined;
}

/** Prompts of a terminal. Ctrl-C ends the program, unless the caller catches it. Ask `canAsk()` before. */
export const askText = async (asked: Asked): Promise<string> => answered(await text(textOptions(asked)));
export const askSecret = async (message: string): Promise<string> => answered(await password({ message, output }));
export const askYesNo = async (message: string, initialValue = true): Promise<boolean> =>
  answered(await confirm({ message, initialValue, output }));

export async function askChoice(message: string, choices: { value: string; label?: string; hint?: string }[]) {
  return answered(await select<string>({ message, options: choices, output, showInstructions: false }));
}

function textOptions({ validate, ...asked }: Asked) {
  return { ...asked, output, validate: (value: string | undefined) => validate?.(value ?? '') };
}

function answered<Answer>(answer: Answer | typeof CANCEL_SYMBOL): Answer {
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

/** Ctrl-C at a prompt. */
export class Interrupted extends Failure {
  constructor() {
    super('Cancelled.', { exitCode: ExitCode.interrupted });
  }
}
