import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portError } from '../portError.ts';
import { oneAtATime } from '../waiting.ts';
import type { Metrics } from './metrics.ts';

/** The small server for operators' tools, separate from the callers' server. */
export interface Listener {
  port: number;
  close(): Promise<void>;
}

/** The data it serves: the metrics, and the failing parts, by name. */
export interface Answers {
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  findFaults: () => Promise<string[]>;
}

/** Listens for `GET /metrics`, `/healthz` and `/readyz`. Throws a sentence when the port is taken. */
export async function openListener(
  { host, port }: { host: string; port: number },
  { metrics, findFaults }: Answers,
): Promise<Listener> {
  const { createServer } = await import('node:http');
  // Overlapping checks share one result.
  const findOnce = oneAtATime<void, string[]>(findFaults);
  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/metrics': async (response) => {
      response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text());
    },
    '/healthz': async (response) => answer(response, 200, { status: 'ok' }),
    '/readyz': async (response) => {
      const faults = await findOnce();
      if (faults.length === 0) answer(response, 200, { status: 'ready' });
      else answer(response, 503, { status: 'not_ready', faults });
    },
  };
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const page = request.method === 'GET' ? pages[path] : undefined;
    if (!page) return answer(response, 404, { status: 'not_found' });
    page(response).catch(() => answer(response, 503, { status: 'not_ready' }));
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw portError(error, 'METRICS_PORT', { host, port });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
