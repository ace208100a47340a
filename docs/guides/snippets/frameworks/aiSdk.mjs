import { createOpenAI } from '@ai-sdk/openai';
import { stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const provider = createOpenAI({ baseURL: `${process.env.BASE_URL}/v1`, apiKey: process.env.API_KEY });
const { textStream } = streamText({
  model: provider('MODEL_ID'),
  prompt: 'Do I need an umbrella in Rome?',
  tools: {
    weather: tool({
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => `Heavy rain in ${city}`,
    }),
  },
  stopWhen: stepCountIs(3),
});
for await (const text of textStream) process.stdout.write(text);
