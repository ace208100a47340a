import type { OutgoingHttpHeader } from 'node:http';
import type { Context } from '../context.ts';
import { drained } from '../stream/sse.ts';

const OWN = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'content-encoding']);

/** A request as the web's fetch has it, without its body, which has been read. Its address is ours, whatever the client called us. */
export function requestOf(ctx: Context, publicUrl: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.req.headers)) {
    if (typeof value === 'string' && !OWN.has(name)) headers.set(name, value);
  }
  return new Request(new URL(ctx.path, publicUrl), { method: ctx.method, headers, signal });
}

/** Answers with what fetch would give, piece by piece. Resolves when it is sent, or its reader has gone. */
export async function answerOf(ctx: Context, answer: Response): Promise<void> {
  const { res } = ctx;
  ctx.respond = false;
  if (res.destroyed) return answer.body?.cancel();
  res.writeHead(answer.status, Object.fromEntries(answer.headers) as Record<string, OutgoingHttpHeader>);
  const reader = answer.body?.getReader();
  // A reader that has gone must not be waited for: then this ends the source.
  res.on('close', () => void reader?.cancel().catch(() => {}));
  for (let piece = await reader?.read(); piece?.value && !res.destroyed; piece = await reader?.read()) {
    if (!res.write(piece.value)) await drained(res);
  }
  res.end();
}
