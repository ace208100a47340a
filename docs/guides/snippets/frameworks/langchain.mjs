import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

const model = new ChatOpenAI({
  model: 'MODEL_ID',
  apiKey: process.env.API_KEY,
  configuration: { baseURL: `${process.env.BASE_URL}/v1` },
});
const City = z.object({ name: z.string(), rain: z.boolean() });
console.log(await model.withStructuredOutput(City).invoke('It pours in Rome.'));
