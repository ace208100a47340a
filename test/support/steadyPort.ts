import { waitUntilFree } from '../../stack/port.ts';

// Below the range of ephemeral ports on Linux: while a killed server is down, its port is not given away by chance.
const FIRST = 20_000;
const COUNT = 12_000;

/** A port of the loopback interface for a server that is to be killed, and started again where it was. */
export async function steadyPort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * COUNT);
  return (await waitUntilFree(port)) ? port : steadyPort();
}
