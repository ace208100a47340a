import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Ledgerline } from '../../src/index.ts';
import type { Input, RunInput } from '../agentFolder/examples.ts';
import { FolderFault, type Place } from '../agentFolder/fault.ts';
import type { Path } from '../agentFolder/jsonFile.ts';
import { hasBytes } from './files.ts';

interface Sent {
  input: Input;
  /** The folder in which its files are. */
  folder: string;
  placeOf: (path: Path) => Place;
}

/** Sends inputs whose files are in a folder: each content is uploaded once. */
export class Inputs {
  readonly #client: Ledgerline;
  readonly #ids = new Map<string, Promise<string>>();

  constructor(client: Ledgerline) {
    this.#client = client;
  }

  /**
   * The input as a run takes it: `{"type": "input_file", "path": "sales.xlsx"}` becomes an uploaded file. Files of `before` with the same
   * bytes are used again.
   */
  async send({ input, folder, placeOf }: Sent, before?: RunInput): Promise<RunInput> {
    if (!Array.isArray(input)) return input;
    const known = Array.isArray(before)
      ? before.flatMap((item) => (item.type === 'input_file' ? [item.file_id] : []))
      : [];
    const sent = input.map(async (item, at) => {
      if (item.type !== 'input_file' || typeof item.path !== 'string') return item;
      const { path, ...rest } = item;
      const bytes = await readFile(join(folder, path)).catch((cause: Error) => {
        throw new FolderFault({ place: placeOf([at, 'path']), message: `${path} cannot be read: ${cause.message}` });
      });
      return { ...rest, file_id: await this.#idOf(basename(path), new Uint8Array(bytes), known) };
    });
    return (await Promise.all(sent)) as RunInput;
  }

  #idOf(name: string, bytes: Uint8Array, known: string[]): Promise<string> {
    const key = `${name} ${createHash('sha256').update(bytes).digest('hex')}`;
    const id = this.#ids.get(key) ?? this.#find(name, bytes, known);
    this.#ids.set(key, id);
    return id;
  }

  async #find(name: string, bytes: Uint8Array, known: string[]): Promise<string> {
    for (const id of known) if (await hasBytes(this.#client, id, bytes)) return id;
    return (await this.#client.files.upload(bytes, { filename: name })).id;
  }
}
