import { pageOf } from '../http/documentedRoute.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import {
  AuditDownloadQuery,
  AuditExportAnswer,
  AuditExportBody,
  AuditExportState,
  AuditLineAnswer,
  AuditLogQuery,
  RemovedAuditExport,
} from './auditLogSchema.ts';

const OF_OWNERS = 'For owners, signed in to the console.';
const OF_OPERATORS = 'For operators, signed in to the console.';

/** Documentation of the workspace's audit and its export. */
export const auditLogDocs = {
  list: {
    tag: 'Workspace',
    summary: 'Read the audit log',
    description:
      'What was done in the workspace, newest first: keys, members, roles, sign-ins by the identity provider, limits, money. The ' +
      'webhook event `audit.entry_recorded` has each entry as it happens.',
    query: AuditLogQuery,
    answer: { id: 'AuditLogPage', schema: pageOf(AuditLineAnswer) },
  },
  entry: {
    tag: 'Workspace',
    summary: 'Read an entry of the audit log',
    description: 'As the list has it.',
    answer: { id: 'AuditEntry', schema: AuditLineAnswer },
  },
  download: {
    tag: 'Workspace',
    summary: 'Download the audit log',
    description: 'The same entries as JSON lines, one in each line, oldest first.',
    query: AuditDownloadQuery,
    statuses: [200],
  },
  ...exportDocs(OF_OWNERS, 'of the workspace', 'audit/{workspace}'),
} satisfies Record<string, RouteDoc>;

/** Documentation of the export of the platform's audit. */
export const platformExportDocs = exportDocs(OF_OPERATORS, 'of the platform', 'audit/platform');

function exportDocs(reader: string, of: string, folder: string) {
  return {
    export: {
      tag: 'Console',
      summary: `Read where the audit log ${of} goes`,
      description: reader,
      answer: { id: 'AuditExportState', schema: AuditExportState },
    },
    setExport: {
      tag: 'Console',
      summary: `Export the audit log ${of}`,
      description:
        `${reader} Each hour or day (UTC) is written as objects of JSON lines, five minutes after its end: ` +
        `\`${folder}/2026/11/27/05-0001.jsonl\`. Each entry is in exactly one of them; a repeated attempt writes the same object.`,
      input: {
        id: 'NewAuditExport',
        schema: AuditExportBody,
        example: {
          url: 'https://KEY:SECRET@s3.eu-central-1.amazonaws.com/audit-logs?region=eu-central-1',
          period: 'hour',
        },
      },
      answer: { id: 'AuditExport', schema: AuditExportAnswer },
      errors: [409, 503],
    },
    removeExport: {
      tag: 'Console',
      summary: `End the export of the audit log ${of}`,
      description: `${reader} What was written stays.`,
      answer: { id: 'RemovedAuditExport', schema: RemovedAuditExport },
      errors: [404, 409],
    },
  } satisfies Record<string, RouteDoc>;
}
