import { waitUntilFree } from '../../stack/port.ts';

// Below what Linux gives to whoever asks for any port: while a server that was killed is away, nobody gets its port by chance.
const FIRST = 20_000;
const COUNT = 12_000;

/** A port of the loopback interface for a server that is to be killed, and started again where it was. */
export async function steadyPort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * COUNT);
  return (await waitUntilFree(port)) ? port : steadyPort();
}
