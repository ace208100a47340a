import type { Installation } from './installation.ts';
import type { RunningServer } from './servers.ts';

/** The measured servers, all in front of one upstream. */
export interface Targets {
  /** The upstream itself, without anything in front. */
  direct: RunningServer;
  raw: RunningServer;
  koa: RunningServer;
  ours: RunningServer;
}

export type TargetName = keyof Targets;
export const TARGET_NAMES: TargetName[] = ['direct', 'raw', 'koa', 'ours'];

/** Starts an upstream that waits `delayMs` before each chunk, and the measured servers in front of it, for as long as `work` takes. */
export async function withTargets<T>(
  installation: Installation,
  delayMs: number,
  work: (targets: Targets) => Promise<T>,
): Promise<T> {
  const upstream = await installation.startUpstream(delayMs);
  const started: RunningServer[] = [upstream];
  const keep = async (starting: Promise<RunningServer>): Promise<RunningServer> => {
    const server = await starting;
    started.push(server);
    return server;
  };
  try {
    const raw = await keep(installation.startProxy('rawHttp', upstream.url));
    const koa = await keep(installation.startProxy('bareKoa', upstream.url));
    const ours = await keep(installation.startApi(upstream.url));
    return await work({ direct: upstream, raw, koa, ours });
  } finally {
    for (const server of started.toReversed()) await server.stop();
  }
}
