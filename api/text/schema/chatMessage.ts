import { z } from 'zod';
import { refused } from './parameters.ts';

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const imageUrl = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string(), detail: z.enum(['auto', 'low', 'high', 'original']).nullish() }),
});
const inputAudio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
});
// An id would refer to the platform's own files at the upstream, which the caller must not reach.
const file = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({ file_id: refused, file_data: z.string().describe('The file as a data: URL.') }),
});

const textContent = z.union([z.string(), z.array(z.discriminatedUnion('type', [text])).min(1)]);
const userContent = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [text, imageUrl, inputAudio, file])).min(1),
]);
const assistantContent = z.union([z.string(), z.array(z.discriminatedUnion('type', [text, refusal]))]);

const name = z.string().nullish();

const toolCall = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('function'),
    id: z.string(),
    function: z.looseObject({ name: z.string(), arguments: z.string() }),
  }),
  z.looseObject({
    type: z.literal('custom'),
    id: z.string(),
    custom: z.looseObject({ name: z.string(), input: z.string() }),
  }),
]);

/** One message of a chat, of any role. Unknown members reach the model unchanged. */
export const chatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: textContent, name }),
  z.looseObject({ role: z.literal('developer'), content: textContent, name }),
  z.looseObject({ role: z.literal('user'), content: userContent, name }),
  z.looseObject({
    role: z.literal('assistant'),
    content: assistantContent.nullish(),
    name,
    refusal: z.string().nullish(),
    audio: refused,
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content: textContent, tool_call_id: z.string() }),
  z.looseObject({ role: z.literal('function'), content: z.string().nullable(), name: z.string() }),
]);
