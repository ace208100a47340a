import { createServer } from 'node:net';

/** A TCP port of the loopback interface that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return listenBriefly(0);
}

/** Whether nobody listens on this port of `host`. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return listenBriefly(port, host).then(
    () => true,
    () => false,
  );
}

function listenBriefly(port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : port));
    });
  });
}
