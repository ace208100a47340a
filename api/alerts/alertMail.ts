import { z } from 'zod';

const MEMBERS_MAX = 50;

/** Whether an alert sends a mail. */
export const mail = z.boolean().describe('Whether people get a mail too.');

/** Who gets it. `usually` names who does where it is null. */
export const mailToOf = (usually: string) =>
  z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(MEMBERS_MAX)
    .refine((ids) => new Set(ids).size === ids.length, 'A member is given twice.')
    .nullable()
    .describe(`The ids of the members who get it; null: ${usually}.`);
