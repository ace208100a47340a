/**
 * The signal of one request: it is given up with `outer`, and after so long a silence, which `heard` begins anew. The browser itself may
 * take many minutes to notice that a connection is gone.
 */
export function boundSilence(outer: AbortSignal, silenceMs: number) {
  const own = new AbortController();
  const giveUp = () => own.abort(new TypeError('nothing came for too long'));
  let timer = setTimeout(giveUp, silenceMs);
  const end = () => clearTimeout(timer);
  const heard = () => {
    end();
    timer = setTimeout(giveUp, silenceMs);
  };
  return { signal: AbortSignal.any([outer, own.signal]), giveUp, heard, end };
}

/** The API sends a comment in a silent stream every 10 s. */
export const STREAM_SILENCE_MS = 30_000;
