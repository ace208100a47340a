import { NEEDED } from '../api/plainWords.ts';

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What the page itself finds in a form before it is sent, in the console's words instead of the browser's. */
export class Lacking extends Error {
  readonly found: { input: Input; message: string }[];

  constructor(found: { input: Input; message: string }[]) {
    super('Some fields lack something.');
    this.found = found;
  }
}

/** The fields of a form that lack something; null: none. */
export function lackingIn(form: HTMLFormElement): Lacking | null {
  const inputs = [...form.querySelectorAll<Input>('input, textarea, select')];
  const found = inputs.filter(({ validity, willValidate }) => willValidate && !validity.valid);
  return found.length === 0 ? null : new Lacking(found.map((input) => ({ input, message: messageOf(input) })));
}

function messageOf(input: Input): string {
  const { validity, type } = input;
  if (validity.valueMissing) return NEEDED;
  if (validity.typeMismatch && type === 'email') return 'Enter a whole address, such as maya@example.com.';
  if (validity.typeMismatch) return 'Enter a whole address, such as https://example.com.';
  if (validity.tooShort && 'minLength' in input) return `Use at least ${input.minLength} characters.`;
  return input.validationMessage;
}
