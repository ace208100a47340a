import { z } from 'zod';
import { pageOf } from './pageOf.ts';

/** The answers of files and sessions. */

const time = z.iso.datetime();
const seconds = z.int().describe('Seconds since 1970.');

const AgentFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  purpose: z.string(),
  filename: z.string(),
  media_type: z.string(),
  size_bytes: z.int(),
  created_at: time,
  expires_at: time.nullable(),
});

export const OpenAiFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: seconds,
  expires_at: seconds.nullable(),
  filename: z.string(),
  purpose: z.string(),
  status: z.literal('processed'),
  status_details: z.null(),
});

export const AnyFile = z.union([AgentFile, OpenAiFile]).describe('In the shape that its purpose is known by.');

const listOf = (item: z.ZodType) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable().describe('Send it as `after` for the next page.'),
    has_more: z.boolean(),
  });

export const OpenAiFileList = listOf(OpenAiFile);

export const FileList = listOf(AnyFile).extend({ next_cursor: z.string().nullable() });

export const DeletedThing = z.object({ id: z.string(), object: z.string(), deleted: z.literal(true) });

export const Session = z.object({
  id: z.string(),
  object: z.literal('session'),
  title: z.string().nullable(),
  status: z.enum(['idle', 'busy']).describe('Busy while a run of it has not ended.'),
  active_run_id: z.string().nullable(),
  created_at: time,
  updated_at: time,
  metadata: z.record(z.string(), z.string()),
});

export const SessionPage = pageOf(Session);

export const SessionFile = z.object({
  id: z.string(),
  session_id: z.string(),
  parent_id: z.string().describe('The directory it is in. The top directory has an id too, but is no entry.'),
  name: z.string(),
  path: z.string().describe('From the top, its parts separated by slashes.'),
  kind: z.enum(['file', 'directory']),
  file: AgentFile.nullable().describe('Null for a directory.'),
  revision_id: z.string().describe('Changes with the content.'),
  updated_at: time,
});

const error = z.object({
  message: z.string(),
  type: z.string(),
  param: z.string().nullable(),
  code: z.string(),
});

export const SessionFileList = z.object({
  data: z.array(SessionFile),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  directory_generation: z
    .int()
    .describe('Rises with each change: send `"dir-<n>"` in `If-Match` to change only what you have seen.'),
  save_state: z.enum(['saved', 'saving', 'failed']),
  save_error: error.nullable(),
  save_operation: z
    .object({
      id: z.string(),
      run_id: z.string(),
      tool_step_id: z.string(),
      last_committed_generation: z.int(),
      state: z.enum(['saving', 'saved', 'failed']),
      recovery: z.enum(['none', 'retrying', 'required']),
      error: error.nullable(),
    })
    .nullable()
    .describe('A step of a run that is saving files, or could not. Null when nothing is open.'),
  busy: z.boolean(),
  max_file_bytes: z.int().min(1),
  storage_limit_bytes: z.int().min(1),
});
