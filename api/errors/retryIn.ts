/** The headers by which clients know when to try again: the standard one in whole seconds, OpenAI's in milliseconds. */
export const retryIn = (waitMs: number) => ({
  'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
  'retry-after-ms': String(Math.max(1, Math.ceil(waitMs))),
});
