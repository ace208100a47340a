import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `node ops/bench/proxy.ts rawHttp|bareKoa|durableKoa ORIGIN [DATABASE_URL]`: a reverse proxy as baseline for the API. Prints its address as
 * JSON.
 */
const [name, origin, databaseUrl] = process.argv.slice(2);
announce(await open());

async function open(): Promise<Server> {
  if (name === 'rawHttp') return rawHttp(new URL(origin!));
  if (name === 'bareKoa') return bareKoa(origin!);
  const { createBills } = await import('./bills.ts');
  return bareKoa(origin!, await createBills(databaseUrl!));
}

/** The baseline of all ratios: a reverse proxy of plain `node:http` that forwards bytes. */
function rawHttp(upstream: URL): Server {
  const agent = new Agent({ keepAlive: true });
  return createServer((req, res) => {
    const { method, url, headers } = req;
    const options = { agent, host: upstream.hostname, port: upstream.port, method, path: url, headers };
    const forwarded = request(options, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    forwarded.on('error', () => res.destroy());
    req.pipe(forwarded);
  });
}

/** Koa and undici; the only processing is parsing the request's body. `record` is awaited before a whole answer is sent. */
async function bareKoa(upstream: string, record = async (_answer: string): Promise<void> => {}): Promise<Server> {
  const [{ default: Koa }, { Pool }] = await Promise.all([import('koa'), import('undici')]);
  const pool = new Pool(upstream, { connections: 256 });
  const app = new Koa();
  app.use(async (ctx) => {
    const chunks: Buffer[] = [];
    for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
    const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
    const headers = { 'content-type': 'application/json' };
    const answer = await pool.request({ path: ctx.url, method: 'POST', headers, body });
    ctx.status = answer.statusCode;
    ctx.type = String(answer.headers['content-type']);
    if (ctx.type === 'text/event-stream') ctx.body = answer.body;
    else {
      const text = await answer.body.text();
      await record(text);
      ctx.body = text;
    }
  });
  const handle = app.callback();
  return createServer((req, res) => void handle(req, res));
}

/** Listens on a free loopback port, prints its address, and ends on SIGTERM. */
function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
  });
  process.once('SIGTERM', () => process.exit(0));
}
