import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readStatementLines } from '../../db/bill/statementLines.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

/** Sends a month as JSON lines that a checker verifies offline. Lines are read while they are sent: a month may have a million. */
export async function sendVerifiableStatement(ctx: Context, { db }: Services, month: string): Promise<void> {
  const { res } = ctx;
  ctx.attachment(`statement-${month}.jsonl`);
  ctx.type = 'application/jsonl';
  // The response is sent here, not by Koa.
  ctx.respond = false;
  res.statusCode = 200;
  if (ctx.method === 'HEAD') return void res.end();
  try {
    await pipeline(Readable.from(linesOf(db.everywhere, ctx.state.key, month), { objectMode: false }), res);
  } catch (error) {
    // A disconnect is not an error. A failure here ends the answer without its last line, which the checker detects.
    if ((error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE') ctx.state.log.cancelled = true;
    else throw error;
  }
}

async function* linesOf(...order: Parameters<typeof readStatementLines>): AsyncGenerator<string> {
  for await (const line of readStatementLines(...order)) yield `${line}\n`;
}
