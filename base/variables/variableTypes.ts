import * as z from 'zod';

/** A whole number within these bounds. */
export function wholeNumber(min: number, max: number) {
  return z.string().transform((text, context) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}, not "${text}"` });
    return z.NEVER;
  });
}

/** An address with this protocol. It may contain a password, so the error does not repeat it. */
export function address(protocol: string, example: string) {
  return z.url({ protocol: new RegExp(`^${protocol}$`), error: `must be an address like ${example}` });
}

/** One of these words. */
export function oneOf<const Words extends readonly string[]>(...words: Words) {
  return z.enum(words, { error: ({ input }) => `must be one of ${words.join(', ')}, not "${String(input)}"` });
}
