import { parentPort, workerData } from 'node:worker_threads';
import { runInMemory } from './memoryHost.ts';

/** A thread that runs the synthesiser with the arguments it receives, one call after the other. */
const port = parentPort!;
const { module } = workerData as { module: WebAssembly.Module };

port.on('message', (args: string[]) => void answer(args));

async function answer(args: string[]): Promise<void> {
  try {
    const { stdout, file } = await runInMemory(module, args);
    const bytes = Uint8Array.from(file);
    port.postMessage({ stdout, file: bytes }, [bytes.buffer]);
  } catch (error) {
    port.postMessage({ error: String(error) }, []);
  }
}
