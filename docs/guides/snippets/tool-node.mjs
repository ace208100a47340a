import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import OpenAI from 'openai';

const client = new OpenAI({ apiKey: 'unused', webhookSecret: process.env.TOOL_SECRET });

createServer(async (request, response) => {
  const call = await client.webhooks.unwrap(await text(request), request.headers).catch(() => undefined);
  if (call?.tool !== 'find_order') {
    response.writeHead(400).end('Not a call of find_order.');
    return;
  }
  console.log(call.id, call.tool, call.arguments);
  response.setHeader('content-type', 'application/x-ndjson');
  const send = (message) => response.write(`${JSON.stringify(message)}\n`);
  send({ type: 'progress', message: 'Looking it up', percentage: 50 });
  send({ type: 'result', result: { order: call.arguments.order, state: 'shipped' } });
  response.end();
}).listen(process.env.PORT ?? 8080);
