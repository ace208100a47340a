import { z } from 'zod';
import { WorkspaceName } from '../workspaces/workspaceSchema.ts';

/** Limits the length of texts about people, for every account endpoint. `ACCOUNT_BODIES` has the members of each. */
export const AccountBody = z.looseObject({
  name: z.string().trim().min(1).max(100).optional(),
  email: z.string().max(254).optional(),
  token: z.string().max(4_000).optional(),
});

/** A session by its id: lists do not return its token. */
export const SessionBody = z.strictObject({
  id: z.string().max(100).optional(),
  token: z.string().max(100).optional(),
});

export const WorkspaceBody = z.strictObject({ name: WorkspaceName });

export const ModeBody = z.strictObject({ mode: z.enum(['live', 'test']) });

export type AccountInput = z.output<typeof AccountBody>;
