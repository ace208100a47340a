import { stackConfigOf } from '../config.ts';
import { buildClients } from './clients.ts';

/** `npm run clients`: builds the packages that customers install, which the API then serves. */
const { projectDir, environment: env } = stackConfigOf(process);
const print = (text: string) => void process.stdout.write(`${text}\n`);

try {
  const isNew = await buildClients({ projectDir, env, onProgress: print });
  print(isNew ? 'The packages of clients/dist are new' : 'The packages of clients/dist are up to date');
} catch (error) {
  print((error as Error).message);
  process.exitCode = 1;
}
