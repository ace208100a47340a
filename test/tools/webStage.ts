import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../../rules/scripted/startScripted.ts';
import { fetchUrl } from '../../tools/fetchUrl.ts';
import { createGuardedAgent, type Egress } from '../../tools/guardedAgent.ts';
import type { Resolve } from '../../tools/lookUp.ts';
import { contextOf, failureOf } from './toolStage.ts';

/** A server on loopback that records its requests. */
export interface Site {
  port: number;
  hits: string[];
  stop(): Promise<void>;
}

/** Starts a server on 127.0.0.1 or ::1, on the port given or a free one. */
export async function startSite(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<Site> {
  const hits: string[] = [];
  const answer: RequestListener = (request, response) => {
    hits.push(request.url!);
    listener(request, response);
  };
  const { server, stop } = await listen(port, answer, host);
  return { port: (server.address() as AddressInfo).port, hits, stop };
}

/** The resolver of the tests: only these names. */
export function resolverOf(names: Record<string, string[]>): Resolve {
  return async (hostname) => {
    const addresses = names[hostname];
    if (!addresses) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND', hostname });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}

export interface Fetching {
  egress?: Partial<Egress>;
  resolve?: Resolve;
  signal?: AbortSignal;
}

/** Fetches with a separate agent. http is allowed, because loopback has no certificates. */
export async function fetchText(url: string, { egress = {}, resolve = resolverOf({}), signal }: Fetching = {}) {
  const whole = { allowPrivate: false, allowHttp: true, ...egress } as const;
  const agent = createGuardedAgent(whole, resolve);
  try {
    const { text } = await fetchUrl(agent, whole).run({ url }, contextOf(undefined, signal));
    return text;
  } finally {
    await agent.destroy();
  }
}

export const refusalOf = (url: string, fetching?: Fetching): Promise<string> => failureOf(fetchText(url, fetching));
