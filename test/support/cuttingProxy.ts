import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands before a server and cuts its answers short: the next ones after so many bytes each, then none any more. */
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
      // What was written leaves first.
      if (leftBytes <= 0) client.destroySoon();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Where connections lead from now on. */
    leadTo: (url: string) => (targetPort = Number(new URL(url).port)),
    cutsLeft: () => cuts.length,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
