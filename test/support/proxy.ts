import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** Forwards TCP to another address, until it is set to hold everything back. Connections stay open, and new ones open. */
export async function startProxy(target: string) {
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on nothing gets through. */
    pause: (): void => {
      isPaused = true;
      for (const pair of pairs) pair.forEach((socket) => socket.unpipe().pause());
    },
    /** Everything gets through again, what was kept back first. */
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
