import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import OpenAI from 'openai';

const client = new OpenAI({ apiKey: 'unused', webhookSecret: process.env.WEBHOOK_SECRET });

createServer(async (request, response) => {
  try {
    const event = await client.webhooks.unwrap(await text(request), request.headers);
    console.log(event.id, event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(process.env.PORT ?? 8080);
