import { boundContent } from '../../db/contents/boundedContent.ts';
import type { Contents } from '../../db/contents/contents.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import type { Context } from '../context.ts';

/** How a call ended: with its whole answer, without its client, or with an error. */
export const ENDINGS = ['complete', 'client_left', 'failed'] as const;

/** The content of one call, while it runs. */
export class Recording {
  #answer: (() => unknown) | undefined;

  /** Takes the answer: `read` is called once, after the call. A later answer replaces an earlier one. */
  take(read: () => unknown): void {
    this.#answer = read;
  }

  get hasAnswer(): boolean {
    return this.#answer !== undefined;
  }

  read(): unknown {
    return this.#answer?.() ?? null;
  }
}

// Refusals for lack of money or rate ran nothing, and could come in any number.
const UNKEPT_STATUSES = new Set([402, 403, 429]);

/**
 * Runs a call, and keeps its request and answer for a key that wants that. It is written behind the call, which it neither delays nor fails.
 * Other keys pay for one comparison.
 */
export function withContent(
  ctx: Context,
  { contents }: { contents: Contents },
  request: () => unknown,
  run: (recording?: Recording) => Promise<void>,
): Promise<void> {
  return ctx.state.key.logDays === 0 || !contents.isOn ? run() : recorded(ctx, contents, request, run);
}

async function recorded(
  ctx: Context,
  contents: Contents,
  request: () => unknown,
  run: (recording?: Recording) => Promise<void>,
): Promise<void> {
  const recording = new Recording();
  let thrown: unknown;
  try {
    await run(recording);
  } catch (error) {
    thrown = error;
    throw error;
  } finally {
    const status = thrown instanceof ApiError ? thrown.status : 0;
    // Only once the answer has left.
    if (!UNKEPT_STATUSES.has(status)) setImmediate(() => keep(ctx, contents, { recording, request, thrown }));
  }
}

interface Ended {
  recording: Recording;
  request: () => unknown;
  thrown: unknown;
}

function keep({ state }: Context, contents: Contents, { recording, request, thrown }: Ended): void {
  const { key, requestId, log } = state;
  const endedFor = thrown ?? log.error;
  const failure = endedFor === undefined ? 'complete' : 'failed';
  try {
    const asked = boundContent(request());
    const answered = boundContent(recording.read());
    const text = JSON.stringify({
      ended: log.cancelled ? 'client_left' : failure,
      request: asked.value,
      answer: answered.value,
      is_truncated: asked.isCut || answered.isCut,
    });
    contents.keep({ requestId, workspaceId: key.workspaceId, keyId: key.keyId, days: key.logDays, text });
  } catch (error) {
    contents.fail(error);
  }
}
