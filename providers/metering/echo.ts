import type { Json } from '../provider.ts';

/**
 * The prompt that a choice of a completion repeats before its output (`echo`): it was paid for as prompt. Empty for token numbers, whose
 * text only the model knows.
 */
export function echoOf({ echo, prompt, n }: Json, choice: unknown): string {
  if (echo !== true) return '';
  const prompts: unknown[] = Array.isArray(prompt) ? prompt : [prompt];
  const text = prompts[Math.floor(Number(choice ?? 0) / Number(n ?? 1))];
  return typeof text === 'string' ? text : '';
}

/** How much of an echo a piece begins with; undefined when it is other text: the model does not echo. */
export function echoedIn(piece: string, echo: string): number | undefined {
  const chars = Math.min(piece.length, echo.length);
  return piece.startsWith(echo.slice(0, chars)) ? chars : undefined;
}

/** The tokens that all choices repeat of prompts of token numbers. */
export function echoedNumbers({ echo, prompt, n }: Json): number {
  if (echo !== true || !Array.isArray(prompt)) return 0;
  return prompt.flat().filter((token) => typeof token === 'number').length * Number(n ?? 1);
}
