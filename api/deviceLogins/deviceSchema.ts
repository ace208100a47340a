import { z } from 'zod';
import { KEY_SCOPES } from '../../db/keys/grants.ts';
import { newKeyFields } from '../keys/keySchema.ts';
import { hasCeiling, NO_CEILING } from '../projects/projectSchema.ts';

/** The scopes that a device login may ask for: those of keys, and the operators' own. */
const LOGIN_SCOPES = [...KEY_SCOPES, 'operator'] as const;

const scope = z.enum(LOGIN_SCOPES);
const isOnce = (given: readonly string[]) => new Set(given).size === given.length;

export const DeviceCodesBody = z.strictObject({
  client_name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    // Invisible characters could make one name look like another or like none, and piles of accents cover what stands around it.
    .regex(
      /^(?!.*\p{M}{4})[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]*$/u,
      'must have no control or invisible characters, and at most three accents on a letter',
    )
    .optional()
    .describe(
      'What the program calls itself and its machine, such as `ledgerline on ada-laptop`. The person sees it as not verified.',
    ),
  scopes: z
    .array(scope)
    .min(1)
    .refine(isOnce, 'A scope is given twice.')
    .optional()
    .describe(
      'What the program would like to do. The person decides, and may give less. Left out: the person chooses.',
    ),
});

export const DeviceTokenBody = z.strictObject({
  device_code: z.string().min(1).max(200).describe('From `POST /platform/v1/device/codes`.'),
});

const userCode = z
  .string()
  .min(1)
  .max(40)
  .describe('The code that the terminal shows. Case, spaces and the dash do not matter.');

export const UserCodeBody = z.strictObject({ user_code: userCode });

export const ApprovalBody = z
  .strictObject({
    user_code: userCode,
    workspace_id: z.string().max(100).describe('A workspace in which the person makes keys.'),
    mode: newKeyFields.mode,
    name: newKeyFields.name,
    scopes: z
      .array(scope)
      .min(1)
      .refine(isOnce, 'A scope is given twice.')
      .refine(
        (given) => given.length === 1 || !given.includes('manage'),
        'The scope manage stands alone: such a key calls no product.',
      )
      .describe('What the key may do: nothing that the person may not do in the workspace.'),
    project_id: newKeyFields.project_id,
    spend_limit: newKeyFields.spend_limit,
    spend_limit_period: newKeyFields.spend_limit_period,
    expires_at: newKeyFields.expires_at,
  })
  .refine(hasCeiling, NO_CEILING);
