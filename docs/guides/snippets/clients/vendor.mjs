import OpenAI from 'openai';
import { Ledgerline } from 'ledgerline';

const openai = new Ledgerline().openai(OpenAI);
const stream = await openai.chat.completions.create({
  model: 'MODEL_ID',
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '');
