import { z } from 'zod';

export const ClientPackage = z.object({
  language: z.enum(['typescript', 'python']),
  name: z.string(),
  version: z.string(),
  file: z.string(),
  url: z.string(),
  install: z.string().describe('The command that installs it from here.'),
  bytes: z.int(),
  sha256: z.string().describe('Of the file, in hexadecimal.'),
  integrity: z.string().describe('As npm’s lock files have it.'),
});

const AbsentClient = z.object({ language: z.enum(['typescript', 'python']), reason: z.string() });

export const ClientList = z.object({
  object: z.literal('list'),
  data: z.array(ClientPackage),
  absent: z.array(AbsentClient).describe('Packages that this installation has not built, and what that needs.'),
});
