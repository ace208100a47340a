import type { IncomingMessage } from 'node:http';
import { beginReading, type StoredFile } from '../../db/files/files.ts';
import type { Context, Handler } from '../context.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { namesTag } from '../http/answer.ts';
import type { Services } from '../services.ts';
import { findCallersFile } from '../../calls/purposeScope.ts';
import { sendStream } from '../http/sendStream.ts';

/** A file and its workspace. */
type Found = { file: StoredFile; workspaceId: string };

/** `GET /files/{file_id}/content`: any file of the caller's workspace. */
export const retrieveFileContent = (services: Services): Handler =>
  sendFileContent(services, async (ctx) => ({
    file: await findCallersFile(services.db, ctx.state.key, ctx.state.params.file_id!),
    workspaceId: ctx.state.key.workspaceId,
  }));

/**
 * Answers with the bytes of the file that `find` returns, or with the `Range` of them, always as an attachment so that no browser renders
 * them. 304 when `If-None-Match` matches, 416 `range_not_satisfiable`.
 */
export function sendFileContent(services: Services, find: (ctx: Context) => Promise<Found>): Handler {
  return async (ctx) => {
    const { file, workspaceId } = await find(ctx);
    const etag = `"${Buffer.from(file.sha256).toString('hex')}"`;
    if (namesTag(ctx.get('if-none-match'), etag)) {
      ctx.status = 304;
      ctx.set('etag', etag);
      ctx.body = null;
      return;
    }
    const range = byteRangeOf(ctx.req, { sizeBytes: file.sizeBytes, etag });
    if (range.kind === 'none') throw rangeNotSatisfiable(file.sizeBytes);
    describeContent(ctx, file, etag);
    const { from, to } = range.kind === 'part' ? range : { from: 0, to: file.sizeBytes };
    if (range.kind === 'part') ctx.set('content-range', `bytes ${from}-${to - 1}/${file.sizeBytes}`);
    await sendBytes(ctx, services, { file, workspaceId, from, to, status: range.kind === 'part' ? 206 : 200 });
  };
}

function describeContent(ctx: Context, { filename, mediaType }: StoredFile, etag: string): void {
  ctx.attachment(filename);
  ctx.set({
    etag,
    'content-type': mediaType,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    // The content must not run scripts, even when opened as a page.
    'content-security-policy': "sandbox; default-src 'none'",
  });
}

async function sendBytes(
  ctx: Context,
  { db }: Services,
  { file, workspaceId, from, to, status }: Found & { from: number; to: number; status: number },
): Promise<void> {
  const isHead = ctx.method === 'HEAD';
  const bytes = await beginReading(db.read(workspaceId), { id: file.id, from, to: isHead ? from : to });
  ctx.res.setHeader('content-length', to - from);
  await sendStream(ctx, bytes, status);
}

const rangeNotSatisfiable = (sizeBytes: number) =>
  new ApiError({
    status: 416,
    code: 'range_not_satisfiable',
    message: `The file has ${sizeBytes} bytes.`,
    headers: { 'content-range': `bytes */${sizeBytes}` },
  });

/** The requested bytes: all, a part (`to` is exclusive), or an unsatisfiable range. */
type ByteRange = { kind: 'all' } | { kind: 'part'; from: number; to: number } | { kind: 'none' };

const RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The bytes that a `Range` header requests. Several ranges and malformed ones are ignored, as RFC 9110 (14.2) allows, as is a range whose
 * `If-Range` has another tag or a date, and any of a HEAD request.
 */
function byteRangeOf(
  { method, headers: { range, 'if-range': ifRange } }: IncomingMessage,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange {
  const match = RANGE.exec(range ?? '');
  if (!match || method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return { kind: 'all' };
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return { kind: 'all' };
  if (first === '') return partOf(Math.max(0, sizeBytes - Number(last)), sizeBytes, sizeBytes);
  if (last !== '' && Number(last) < Number(first)) return { kind: 'all' };
  return partOf(Number(first), last === '' ? sizeBytes : Number(last) + 1, sizeBytes);
}

function partOf(from: number, to: number, sizeBytes: number): ByteRange {
  return from >= sizeBytes ? { kind: 'none' } : { kind: 'part', from, to: Math.min(to, sizeBytes) };
}
