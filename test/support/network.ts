import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { waitUntilFree } from '../../ops/stack/process/port.ts';

/**
 * Forwards TCP to another address until it is paused. Connections stay open, and new ones open. It listens at a free port of the loopback
 * interface, unless another place is given.
 */
export async function startProxy(target: string, { host = '127.0.0.1', port: ownPort = 0 } = {}) {
  const { hostname, port } = new URL(`tcp://${target}`);
  const pairs = new Set<[near: Socket, far: Socket]>();
  let isPaused = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    const end = () => pair.forEach((socket) => socket.destroy());
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.on('close', () => pairs.delete(pair));
    if (!isPaused) join(pair);
  });
  server.listen(ownPort, host);
  await once(server, 'listening');
  return {
    address: `${host}:${(server.address() as AddressInfo).port}`,
    /** Holds all data back from now on. */
    pause: (): void => {
      isPaused = true;
      for (const pair of pairs) pair.forEach((socket) => socket.unpipe().pause());
    },
    /** Forwards all data again, starting with the held data. */
    resume: (): void => {
      isPaused = false;
      pairs.forEach(join);
    },
    stop: async (): Promise<void> => {
      for (const pair of pairs) pair.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}

const join = ([near, far]: [Socket, Socket]): void => void near.pipe(far).pipe(near);

/** Ends TLS in front of a gRPC server; only clients with a certificate of `authority` get through. */
export async function startTlsProxy(
  target: string,
  { authority, ...identity }: { authority: string; cert: string; key: string },
) {
  const { hostname, port } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  const options = { ...identity, ca: authority, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] };
  const server = createTlsServer(options, (near) => {
    const far = connect(Number(port), hostname);
    const end = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    join([near, far]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A proxy that cuts the next answers of a server after this many bytes each. */
export async function startCuttingProxy(cutAfterBytes: number[]) {
  const cuts = [...cutAfterBytes];
  const sockets = new Set<Socket>();
  let targetPort = 0;
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    const end = () => [client, upstream].forEach((socket) => socket.destroy());
    let leftBytes = cuts.shift() ?? Infinity;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
      socket.once('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      client.write(bytes.subarray(0, leftBytes));
      leftBytes -= bytes.length;
      // Written data is sent first.
      if (leftBytes <= 0) client.destroySoon();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the target of connections. */
    leadTo: (url: string) => (targetPort = Number(new URL(url).port)),
    cutsLeft: () => cuts.length,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Forwards TCP to a changeable port: a change ends open connections. */
export async function startLeadingProxy(targetPort: number) {
  let current = targetPort;
  const sockets = new Set<Socket>();
  const endAll = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((near) => {
    const far = connect(current, '127.0.0.1');
    const end = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
      socket.once('close', () => sockets.delete(socket));
    }
    join([near, far]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port: number): void => {
      current = port;
      endAll();
    },
    stop: async (): Promise<void> => {
      server.close();
      endAll();
      await once(server, 'close');
    },
  };
}

// Below the range of ephemeral ports on Linux: while a killed server is down, its port is not assigned to another process.
const FIRST = 20_000;
const COUNT = 12_000;

/** A loopback port for a server that is killed and restarted at the same address. */
export async function steadyPort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * COUNT);
  return (await reserve(port)) && (await waitUntilFree(port)) ? port : steadyPort();
}

/**
 * Whether this process, and no other one of these tests, now has the port until it ends: the server may listen seconds later. An UDP socket
 * is the sign, which keeps no TCP server from listening.
 */
async function reserve(port: number): Promise<boolean> {
  const sign = createSocket('udp4').unref();
  try {
    await once(sign.bind({ port, address: '127.0.0.1', exclusive: true }), 'listening');
    return true;
  } catch {
    return false;
  }
}
