import { readFile, writeFile } from 'node:fs/promises';
import OpenAI from 'openai'; // npm install openai

const client = new OpenAI({ baseURL: `${process.env.BASE_URL}/v1`, apiKey: process.env.API_KEY });
const workbook = await readFile('sales.xlsx', 'base64');
const content = [
  { type: 'input_text', text: 'Chart the sums by region, and return the totals.' },
  { type: 'input_file', filename: 'sales.xlsx', file_data: `data:application/octet-stream;base64,${workbook}` },
];
const response = await client.responses.create({
  model: process.env.AGENT,
  input: [{ role: 'user', content }],
  metadata: { max_cost_usd: '0.1' },
});
console.log(response.output_text);
for (const { file_id, filename } of response.run.files) {
  const file = await client.files.content(file_id);
  await writeFile(filename, Buffer.from(await file.arrayBuffer()));
}
