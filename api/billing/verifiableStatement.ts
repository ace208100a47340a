import { readStatementLines } from '../../db/bill/statementLines.ts';
import type { Context } from '../context.ts';
import { sendStream } from '../http/sendStream.ts';
import type { Services } from '../services.ts';

/** Sends a month as JSON lines that a checker verifies offline. Lines are read while they are sent: a month may have a million. */
export async function sendVerifiableStatement(ctx: Context, { db }: Services, month: string): Promise<void> {
  ctx.attachment(`statement-${month}.jsonl`);
  ctx.type = 'application/jsonl';
  // After a failure the last line is missing, which the checker detects.
  await sendStream(ctx, linesOf(db.everywhere, ctx.state.key, month));
}

async function* linesOf(...order: Parameters<typeof readStatementLines>): AsyncGenerator<string> {
  for await (const line of readStatementLines(...order)) yield `${line}\n`;
}
