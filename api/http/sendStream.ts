import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';

/** Sends text or bytes while they are read, so that an answer of any length needs little memory. The headers are set before. */
export async function sendStream(
  ctx: Context,
  parts: AsyncIterable<string> | AsyncIterable<Uint8Array>,
  status = 200,
): Promise<void> {
  const { res } = ctx;
  // The response is sent here, not by Koa.
  ctx.respond = false;
  res.statusCode = status;
  if (ctx.method === 'HEAD') return void res.end();
  try {
    await pipeline(Readable.from(parts, { objectMode: false }), res);
  } catch (error) {
    // A disconnect is not an error. A failure here closes the connection before the end of the answer, which a client detects.
    if ((error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE') ctx.state.log.cancelled = true;
    else throw error;
  }
}
