import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Ledgerline } from 'ledgerline';

const { webhooks } = new Ledgerline();

createServer(async (request, response) => {
  try {
    const event = await webhooks.unwrap(await text(request), request.headers, process.env.WEBHOOK_SECRET);
    console.log(event.id, event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(process.env.PORT ?? 8080);
