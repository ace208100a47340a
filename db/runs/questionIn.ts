import { storableText } from '../postgres/storableText.ts';

/** The question in the arguments of a call, whatever the model made of them. */
export function questionIn(argumentsText: string): string {
  try {
    const { question } = JSON.parse(argumentsText) as { question?: unknown };
    return typeof question === 'string' && question !== '' ? storableText(question) : argumentsText;
  } catch {
    return argumentsText;
  }
}
