import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { until } from '../support/until.ts';

const server = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** Preloaded by the server: makes it listen on a free loopback port, and prints the port. */
const onLoopback = `
  import net from 'node:net';
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function () {
    return listen.call(this, 0, '127.0.0.1', () => console.log('port ' + this.address().port));
  };
`;

/** The published example server of the MCP project. */
export interface EverythingServer {
  url: string;
  /** Its output so far. */
  lines: string[];
  stop(): Promise<void>;
}

export async function startEverythingServer(): Promise<EverythingServer> {
  const preload = `data:text/javascript,${encodeURIComponent(onLoopback)}`;
  const child = spawn(process.execPath, ['--import', preload, server, 'streamableHttp'], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const port = () => lines.map((line) => /^port (\d+)$/.exec(line)?.[1]).find(Boolean);
  await until(() => port() !== undefined);
  return { url: `http://127.0.0.1:${port()}/mcp`, lines, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
