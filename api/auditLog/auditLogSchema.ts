import { z } from 'zod';
import { timeRange } from '../body/timeRange.ts';
import { pageQuery } from '../http/page.ts';

const filters = {
  action: z.string().min(1).max(100).optional(),
  subject: z.string().min(1).max(100).optional().describe('The id of what was changed.'),
  ...timeRange,
};

export const AuditLogQuery = z.strictObject({ ...filters, ...pageQuery });
export const AuditDownloadQuery = z.strictObject(filters);

export const AuditLineAnswer = z.object({
  id: z.string(),
  object: z.literal('audit.entry'),
  workspace_id: z.string(),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  actor: z
    .object({
      type: z.enum(['person', 'key', 'platform']),
      id: z.string().nullable(),
      name: z.string().nullable(),
      email: z.string().nullable(),
    })
    .describe('One of the workspace’s people or keys, or the platform.'),
  detail: z.record(z.string(), z.unknown()).describe('Of a change: `before` and `after`. Never a secret.'),
  request_id: z.string(),
  created_at: z.string(),
});

export const AuditExportBody = z.strictObject({
  url: z
    .url()
    .max(2_000)
    .regex(
      /^https?:\/\/[^/:@\s]+:[^/@\s]+@[^/]+\/[^/?]+/,
      'must be https://KEY:SECRET@host/bucket/prefix?region=REGION',
    )
    .describe(
      'A store with S3’s protocol, as https://KEY:SECRET@host/bucket/prefix?region=REGION. Stored encrypted, and never shown.',
    ),
  period: z.enum(['hour', 'day']).default('hour').describe('What one object holds (UTC).'),
});

export const AuditExportAnswer = z.object({
  object: z.literal('audit_export'),
  target: z.string().describe('The address without the credentials.'),
  period: z.enum(['hour', 'day']),
  exported_until: z.string().describe('Everything before this moment is written.'),
  last_object: z.string().nullable(),
  last_entries: z.number().nullable(),
  last_error: z.string().nullable().describe('Why the last attempt failed. It is repeated every five minutes.'),
  created_at: z.string(),
});

export const AuditExportState = z.object({
  object: z.literal('audit_export_state'),
  export: AuditExportAnswer.nullable(),
});
export const RemovedAuditExport = z.object({
  object: z.literal('audit_export_state'),
  export: z.null(),
  deleted: z.literal(true),
});
