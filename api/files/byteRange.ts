import type { IncomingHttpHeaders } from 'node:http';

/** Which bytes of a thing were asked for: all, a part of it (`to` is the first byte after it), or none that it has. */
export type ByteRange = { kind: 'all' } | { kind: 'part'; from: number; to: number } | { kind: 'none' };

const RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * What a `Range` header asks of a thing of this size. Several ranges, and what is no range, count as not sent, as RFC 9110 (14.2)
 * allows; `If-Range` with another tag or a date does too.
 */
export function byteRangeOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange {
  const match = RANGE.exec(range ?? '');
  if (!match || (ifRange !== undefined && ifRange !== etag)) return { kind: 'all' };
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return { kind: 'all' };
  if (first === '') return partOf(Math.max(0, sizeBytes - Number(last)), sizeBytes, sizeBytes);
  if (last !== '' && Number(last) < Number(first)) return { kind: 'all' };
  return partOf(Number(first), last === '' ? sizeBytes : Number(last) + 1, sizeBytes);
}

function partOf(from: number, to: number, sizeBytes: number): ByteRange {
  return from >= sizeBytes ? { kind: 'none' } : { kind: 'part', from, to: Math.min(to, sizeBytes) };
}
