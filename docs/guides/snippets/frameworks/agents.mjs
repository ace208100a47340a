import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

setDefaultOpenAIClient(new OpenAI({ baseURL: `${process.env.BASE_URL}/v1`, apiKey: process.env.API_KEY }));
// Traces would go to OpenAI.
setTracingDisabled(true);

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `Heavy rain in ${city}`,
});
const guide = new Agent({ name: 'Guide', instructions: 'Be brief.', model: 'MODEL_ID', tools: [weather] });
const { finalOutput } = await run(guide, 'Do I need an umbrella in Rome?');
console.log(finalOutput);
