import type { LineLog } from '../process/child.ts';
import { buildClients } from './clients.ts';
import type { BuildOptions } from './npm.ts';
import { buildPages } from './pages.ts';

interface Options extends Omit<BuildOptions, 'log'> {
  consoleUrl: string;
  logOf: (name: string) => LineLog;
  /** Takes a line for the operator. */
  say: (text: string) => void;
}

/** Builds the console's pages and the packages for customers, side by side. A failure is only said. */
export async function buildAll({ consoleUrl, logOf, say, ...options }: Options): Promise<void> {
  const attempt = async (name: string, failure: string, build: typeof buildPages): Promise<boolean> => {
    try {
      return await build({ ...options, log: logOf(name) });
    } catch (error) {
      say(`${failure}: ${(error as Error).message}`);
      return false;
    }
  };
  const pages = attempt('console', 'The console has no pages', buildPages);
  const clients = attempt('clients', 'Not all packages at /clients are built', buildClients);
  if (await pages) say(`The console is up: ${consoleUrl}/`);
  await clients;
}
