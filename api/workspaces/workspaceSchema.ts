import { z } from 'zod';
import type { NamedSettings } from '../../db/workspaces/profile.ts';

/** The most characters of a workspace's name. */
const NAME_CHARS_MAX = 100;

export const WorkspaceName = z
  .string()
  .trim()
  .min(1)
  .max(NAME_CHARS_MAX)
  .regex(/^\P{Cc}*$/u, 'must have no control characters');

const SETTINGS = {
  name: WorkspaceName,
  logo_file_id: z
    .string()
    .max(100)
    .nullable()
    .describe(
      'A file with the purpose `workspace_logo`; null removes the logo. The file of the logo before is deleted.',
    ),
  logo_is_public: z.boolean().describe('Whether the public pages of its agents show the logo.'),
  no_retention: z
    .boolean()
    .describe(
      'Whether calls of all its keys go only to upstreams that keep nothing of them. It holds within a second.',
    ),
} satisfies { [Name in keyof NamedSettings]: z.ZodType<NamedSettings[Name]> };

export const WorkspaceChangeBody = z.strictObject(SETTINGS).partial();

export const WorkspaceAnswer = z.object({
  id: z.string(),
  object: z.literal('workspace'),
  name: z.string(),
  mode: z.enum(['live', 'test']),
  logo_file_id: z.string().nullable(),
  logo_url: z.string().nullable().describe('An image, for pages. Whoever knows the address can load it.'),
  logo_is_public: z.boolean(),
  no_retention: z.boolean(),
  created_at: z.iso.datetime(),
});
