import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** Passes TCP on to another address, until it is told to keep everything back. Connections stay open all the same. */
export async function startProxy(target: string) {
  const { hostname, port } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  let isPaused = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      if (isPaused) socket.pause();
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on nothing gets through. */
    pause: (): void => {
      isPaused = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    stop: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
