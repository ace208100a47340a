import type { ContentBox } from '../contents/contentBox.ts';
import { exportedContent } from '../contents/exportContent.ts';
import { readBytes } from '../files/files.ts';
import { joinArchived } from '../postgres/archive.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { readRows } from './rowsOfWorkspace.ts';
import { tarEnd, tarHeader, tarPadding } from './tar.ts';

/** Takes the next bytes of the archive, and resolves when there may be more. */
export type Sink = (bytes: Uint8Array) => Promise<void>;

/** Tables that are exported in another form, or only repeat others' data for minutes. */
export const LEFT_OUT = ['answer_parts', 'file_chunks', 'file_objects', 'idempotency_keys'];
/** Columns with a secret, sealed or as the hash by which it is checked. */
export const SECRET_COLUMNS: Record<string, string[]> = {
  agent_tool_secrets: ['secrets'],
  api_keys: ['hash'],
  audit_exports: ['sealed_url'],
  client_secrets: ['hash'],
  device_logins: ['device_hash', 'user_hash'],
  identity_providers: ['sealed_secret'],
  rotated_secrets: ['hash'],
  webhook_endpoints: ['secrets'],
};
const ROWS_PER_PART = 2_000;
const CHARS_PER_PART = 16 * 1024 * 1024;
// Decrypted for their workspace.
const SEALED_TABLE = 'request_contents';
// So large are their rows.
const SEALED_ROWS_AT_ONCE = 20;
// Each fetch continues the previous one: scanning a table or a bitmap would read all rows for the first fetch.
const PLANNING = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']
  .map((how) => `set local enable_${how} = off`)
  .join('; ');

/** The contents of an archive: rows by table, and files. */
export interface Exported {
  rows: Record<string, number>;
  files: number;
  fileBytes: number;
}

/**
 * Writes all rows and files of a workspace as a tar archive: `rows/<table>-0001.jsonl` and so on, and `files/<file id>`. It reads one
 * snapshot, in the role that sees only the workspace's rows, and holds one part of a table in memory. With `box` the contents of calls are
 * in it; otherwise only their times.
 */
export function exportWorkspace(rows: Rows, write: Sink, box: ContentBox | null = null): Promise<Exported> {
  return rows.transaction(async (tx) => {
    await tx.client.query('set transaction isolation level repeatable read');
    // Calls of archived months become visible first: that needs temporary tables.
    await joinArchived(tx, {});
    await tx.client.query('set transaction read only');
    await tx.client.query('set local idle_in_transaction_session_timeout = 0');
    await tx.client.query(PLANNING);
    const exported: Exported = { rows: {}, files: 0, fileBytes: 0 };
    await writeWorkspace(tx, write);
    for (const table of await tablesOf(tx)) exported.rows[table] = await writeTable(tx, table, { write, box });
    await writeFiles(tx, exported, write);
    await write(tarEnd());
    return exported;
  });
}

/** Audits that a person or an operator takes an export, before it is sent. */
export const auditExport = (everywhere: Rows<undefined>, workspaceId: string, by: Actor): Promise<void> =>
  everywhere.transaction((tx) => {
    const subject = { subjectType: 'workspace', subjectId: workspaceId };
    return audit(tx, by, { workspaceId, action: 'export_workspace', ...subject });
  });

/** The tables with rows of workspaces that this role may read. */
async function tablesOf({ client }: Transaction): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and has_table_privilege(c.oid, 'select') order by c.relname`);
  return rows.map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name));
}

async function writeTable(
  tx: Transaction,
  table: string,
  { write, box }: { write: Sink; box: ContentBox | null },
): Promise<number> {
  const isSealed = table === SEALED_TABLE;
  const waiting: string[] = [];
  let waitingChars = 0;
  let [count, part] = [0, 0];
  const writePart = async () => {
    part += 1;
    waitingChars = 0;
    const lines = waiting.splice(0, ROWS_PER_PART);
    count += lines.length;
    const text = lines.map((line) => `${line}\n`).join('');
    await writeFile(write, `rows/${table}-${String(part).padStart(4, '0')}.jsonl`, Buffer.from(text));
  };
  const atOnce = isSealed ? SEALED_ROWS_AT_ONCE : undefined;
  for await (const rows of readRows(tx, table, { without: SECRET_COLUMNS[table] ?? [], atOnce })) {
    for (const row of rows) {
      const line = isSealed ? await exportedContent(box, row) : row;
      waiting.push(line);
      waitingChars += line.length;
    }
    if (waiting.length >= ROWS_PER_PART || waitingChars >= CHARS_PER_PART) await writePart();
  }
  if (waiting.length > 0 || part === 0) await writePart();
  return count;
}

/** The row of the workspace itself, which has its name. */
async function writeWorkspace({ client, workspaceId }: Transaction, write: Sink): Promise<void> {
  const { rows } = await client.query<{ value: string }>(
    'select to_jsonb(w)::text as value from workspaces w where id = $1',
    [workspaceId],
  );
  await writeFile(write, 'rows/workspaces-0001.jsonl', Buffer.from(rows.map(({ value }) => `${value}\n`).join('')));
}

async function writeFile(write: Sink, name: string, bytes: Buffer): Promise<void> {
  await write(tarHeader(name, bytes.length, new Date()));
  await write(bytes);
  await write(tarPadding(bytes.length));
}

async function writeFiles(tx: Transaction, exported: Exported, write: Sink): Promise<void> {
  const { client, workspaceId } = tx;
  const { rows: files } = await client.query<{ id: string; size: string; created_at: Date }>(
    'select id, size_bytes as size, created_at from files where workspace_id = $1 and deleted_at is null order by id',
    [workspaceId],
  );
  for (const { id, size, created_at: createdAt } of files) {
    await write(tarHeader(`files/${id}`, Number(size), createdAt));
    for await (const bytes of readBytes(tx, { id, from: 0, to: Number(size) })) await write(bytes);
    await write(tarPadding(Number(size)));
    exported.files += 1;
    exported.fileBytes += Number(size);
  }
}
