import type { WholeTranscript } from '../../calls/sound/transcribe.ts';
import type { Transcript } from '../../providers/speech.ts';
import type { Context } from '../context.ts';
import { BodyDelivery } from '../http/bodyDelivery.ts';
import { setPricedHeaders } from '../http/pricedHeaders.ts';

/** A whole transcript as the body of a response: `present` sets it. */
export const transcriptBody = (
  ctx: Context,
  present: (transcript: Transcript, durationMs: number) => void,
): BodyDelivery<WholeTranscript> =>
  new BodyDelivery(ctx, ({ transcript, input }) => {
    setPricedHeaders(ctx, input);
    present(transcript, input.durationMs);
  });
