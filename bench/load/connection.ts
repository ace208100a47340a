import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answerReader.ts';

/** A keep-alive connection with at most one request under way. */
export class Connection {
  readonly #socket: Socket;
  #reader = new AnswerReader();
  #done: ((reader: AnswerReader) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#reader.push(chunk) && this.#finish());
    socket.on('error', () => {});
    socket.on('close', () => this.#finish());
  }

  /** Throws when no server listens there. */
  static async open(origin: string): Promise<Connection> {
    const { hostname, port } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Sends a request and resolves when its answer is complete or the connection broke: then the answer is not good. */
  exchange(request: Buffer): Promise<AnswerReader> {
    this.#reader = new AnswerReader();
    if (this.#socket.destroyed) return Promise.resolve(this.#reader);
    this.#socket.write(request);
    return new Promise((resolve) => (this.#done = resolve));
  }

  close(): void {
    this.#socket.destroy();
  }

  #finish(): void {
    this.#done?.(this.#reader);
    this.#done = undefined;
  }
}
