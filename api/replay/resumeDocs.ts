import { z } from 'zod';
import * as headers from '../http/documentedHeaders.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { ChatCompletionChunk } from '../../calls/text/chat/chatAnswer.ts';

/** Query of `GET /platform/v1/requests/{request_id}/stream`. */
export const ResumeQuery = z.strictObject({
  starting_after: z.string().max(100).optional().describe('The number of the last event you have: how many you have.'),
});

/** Documentation of resuming a stream. */
export const resumeDoc: RouteDoc = {
  tag: 'Billing',
  summary: 'Resume the stream of a request',
  description:
    'The events of a stream of chat/completions, completions or responses, for ten minutes after they were sent: from the first one, or ' +
    'after the one with the number in `Last-Event-ID` or `starting_after`. Events are numbered from 1 in the order of the stream, so the ' +
    'number is how many you have; here each carries it as its `id`. A stream that is still produced is followed to its end. When its ' +
    'client has disconnected, the generation waits a moment for a reader and then goes on, with one bill. A client that has everything ' +
    'gets 204. A stream above 8 MiB is not kept. Resuming costs nothing.',
  query: ResumeQuery,
  headers: headers.RESUME,
  answer: { id: 'ChatCompletionChunk', schema: ChatCompletionChunk },
  statuses: [200, 204],
  stream: {
    when: 'The events as they were sent first, here those of a chat completion.',
    event: { id: 'ChatCompletionChunk', schema: ChatCompletionChunk },
  },
  errors: [410],
};
