import { createServer } from 'node:http';
import Koa from 'koa';
import { Pool } from 'undici';
import { announce } from './announce.ts';

/** Koa and undici with nothing on top, but that the request's body is parsed. Argument: the upstream's origin. */
const pool = new Pool(process.argv[2]!, { connections: 256 });
const app = new Koa();

app.use(async (ctx) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
  const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
  const headers = { 'content-type': 'application/json' };
  const answer = await pool.request({ path: ctx.url, method: 'POST', headers, body });
  ctx.status = answer.statusCode;
  ctx.type = String(answer.headers['content-type']);
  ctx.body = ctx.type === 'text/event-stream' ? answer.body : await answer.body.text();
});
const handle = app.callback();
announce(createServer((req, res) => void handle(req, res)));
