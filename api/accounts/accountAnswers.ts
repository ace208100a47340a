import { z } from 'zod';
import { ROLES } from '../../db/keys/roles.ts';
import type { NamedSchema } from '../http/documentedRoute.ts';

const Place = z.object({ id: z.string(), name: z.string(), logo_url: z.string().nullable() });

export const Me = {
  id: 'Me',
  schema: z.object({
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      email_verified: z.boolean(),
      two_factor_enabled: z.boolean(),
    }),
    workspace: Place,
    selected: z
      .string()
      .describe(
        'The id of the workspace that answers are of, live or test. Pages send it as `x-ledgerline-workspace`, so that each tab keeps its own.',
      ),
    mode: z.enum(['live', 'test']).describe('Whether the pages show the workspace, or its test workspace.'),
    role: z.enum(ROLES),
    scopes: z.array(z.string()),
    project_ids: z.array(z.string()).nullable().describe('The projects that the person is limited to; null: all.'),
    is_operator: z.boolean(),
    session: z.object({
      method: z
        .string()
        .nullable()
        .describe('How it began: `password`, `passkey`, `second_factor`, …, or the id of an identity provider.'),
      is_of_provider: z
        .boolean()
        .describe('Whether an identity provider began it: then it opens the workspace of that provider alone.'),
      lacks: z
        .enum(['single_sign_on', 'second_factor'])
        .nullable()
        .describe('What the workspace asks for before it opens.'),
    }),
    workspaces: z.array(Place.extend({ role: z.enum(ROLES) })),
    features: z.object({
      payments: z.enum(['test', 'stripe', 'off']),
      mail: z.enum(['smtp', 'test']),
      temporal_ui_url: z.string().nullable(),
      api_url: z.string(),
    }),
  }),
} satisfies NamedSchema;
