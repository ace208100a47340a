import { request, type Agent } from 'undici';

/** The answer to a request, with the beginning of its body as text. */
export interface GuardedAnswer {
  statusCode: number;
  beginning: string;
}

/**
 * Posts a body within `timeoutMs`, without following redirects; the agent checks the address (see createGuardedAgent). Only the first
 * `answerBytesMax` bytes of the answer are read. Throws if there is no answer in time.
 */
export async function guardedPost(
  agent: Agent,
  url: string,
  {
    headers,
    body,
    timeoutMs,
    answerBytesMax,
  }: { headers: Record<string, string>; body: string; timeoutMs: number; answerBytesMax: number },
): Promise<GuardedAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await request(url, { method: 'POST', dispatcher: agent, signal, headers, body });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= answerBytesMax) break;
    }
  } catch (error) {
    // The status has arrived and decides: a truncated or endless body does not matter.
    if (bytes === 0 && signal.aborted) throw error;
  } finally {
    answer.body.destroy();
  }
  const beginning = Buffer.concat(chunks).subarray(0, answerBytesMax);
  return { statusCode: answer.statusCode, beginning: beginning.toString('utf8') };
}
