import { capitalised } from './capitalised.ts';

/** `input_tokens` for people: Input tokens. */
export const unitName = (unit: string): string => capitalised(unit.replaceAll('_', ' '));
