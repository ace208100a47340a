import { z } from 'zod';
import { refused } from './parameters.ts';

const inputText = z.looseObject({ type: z.literal('input_text'), text: z.string() });
const outputText = z.looseObject({ type: z.literal('output_text'), text: z.string() });
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const inputImage = z.looseObject({
  type: z.literal('input_image'),
  file_id: refused,
  image_url: z.string().describe('An address or a data: URL.'),
  detail: z.enum(['auto', 'low', 'high', 'original']).nullish(),
});
const inputFile = z.looseObject({
  type: z.literal('input_file'),
  file_id: refused,
  file_url: refused,
  file_data: z.string().describe('The file as a data: URL.'),
  filename: z.string().nullish(),
});

const part = z.discriminatedUnion('type', [inputText, outputText, refusal, inputImage, inputFile]);

const message = z.looseObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(part).min(1)]),
});

const functionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});

const functionCallOutput = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.union([z.string(), z.array(z.discriminatedUnion('type', [inputText])).min(1)]),
});

const reasoning = z.looseObject({ type: z.literal('reasoning') });

/** One item of a response's input: a message (its type may be left out), or earlier output sent back as it was. */
export const responseItem = z.discriminatedUnion('type', [message, functionCall, functionCallOutput, reasoning]);

export type ResponsePart = z.infer<typeof part>;
export type ResponseMessage = z.infer<typeof message>;
export type ResponseItem = z.infer<typeof responseItem>;
