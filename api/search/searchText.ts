import { z } from 'zod';
import { KEY_PREFIX_CHARACTERS } from '../../base/limits.ts';

/** What is searched for, in the address: of a key only its beginning, because addresses end up in logs, also in those of others. */
export const searchText = (charactersMin: number) =>
  z
    .string()
    .trim()
    .min(charactersMin)
    .max(200)
    .refine((text) => !(text.startsWith('sk_') && text.length > KEY_PREFIX_CHARACTERS), {
      message: `Send only the first ${KEY_PREFIX_CHARACTERS} characters of a key: its secret has no place in an address`,
    });
