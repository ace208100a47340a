import { z } from 'zod';
import { AgentFile } from '../files/presentFile.ts';

const time = z.iso.datetime();

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

export const SessionFile = z.object({
  id: z.string(),
  session_id: z.string(),
  parent_id: z.string().describe('The directory that contains it. The top directory has an id but is not an entry.'),
  name: z.string(),
  path: z.string().describe('Path from the top directory, with slashes.'),
  kind: z.enum(['file', 'directory']),
  file: AgentFile.nullable().describe('Null for a directory.'),
  revision_id: z.string().describe('Changes with the content.'),
  updated_at: time,
});

export const SessionFileRevision = z.object({
  id: z.string().describe('The `revision_id` of the file at that time.'),
  is_current: z.boolean(),
  file: AgentFile.describe('Its bytes are at `/v1/files/{id}/content` until `expires_at`.'),
  created_at: time,
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
    .describe('Rises with each change: send `"dir-<n>"` in `If-Match` to change only that state.'),
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
    .describe('A step of a run that is saving files or has failed to. Null when there is none.'),
  busy: z.boolean(),
  max_file_bytes: z.int().min(1),
  storage_limit_bytes: z.int().min(1),
});
