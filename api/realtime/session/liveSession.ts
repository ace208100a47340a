import { newId } from '../../../db/ids.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import { CallAbort } from '../../../providers/callAbort.ts';
import type { Json } from '../../../providers/provider.ts';
import type { Context } from '../../context.ts';
import type { Services } from '../../services.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { ClientLeft } from '../../../calls/errors/clientLeft.ts';
import { CLOSE, type ClientSocket } from '../../sockets/socket.ts';
import { readJson } from './clientEvents.ts';
import type { Dialect } from './dialect.ts';
import type { Session, SessionInput } from './sessionConfig.ts';
import { errorEvent, sessionExpired } from './sessionErrors.ts';

/** What a session begins with. */
export interface SessionStart {
  ctx: Context;
  services: Services;
  socket: ClientSocket;
  dialect: Dialect;
  /** By which it is billed. */
  model: Model;
  session: Session;
  secondsMax: number;
  /** What the client cannot change, because it is opened with a client secret that is bound to it. */
  bound?: SessionInput;
}

/** What every session of the realtime protocol has: a client whose events are taken one after another, errors, and an end. */
export abstract class LiveSession {
  protected readonly start: SessionStart;
  protected readonly abort = new CallAbort();
  #calls = 0;

  constructor(start: SessionStart) {
    this.start = start;
  }

  /** The session as its client sees it. */
  protected abstract shown(): object;
  /** Takes an event, with the names of today. */
  protected abstract handle(sent: Json, eventId: string | null): Promise<void> | void;
  /** Resolves when no response runs. */
  protected abstract responsesSettled(): Promise<void>;
  /** The client has gone: resolves when everything is settled. */
  protected abstract end(): Promise<void>;

  /** Resolves when the socket is closed and everything is settled. */
  async run(): Promise<void> {
    const { socket, secondsMax } = this.start;
    void this.emit('session.created', { session: this.shown() });
    socket.onMessages((message, isBinary) => this.#take(message, isBinary));
    const expiry = setTimeout(() => this.expire(), secondsMax * 1_000);
    await socket.closed;
    clearTimeout(expiry);
    this.abort.abort('left');
    await this.end();
  }

  /** This process ends: the running response is the last one. */
  drain(): void {
    void this.responsesSettled().then(() => this.start.socket.goAway());
  }

  /** The session has lasted as long as it may. */
  protected expire(): void {
    this.start.socket.fail(sessionExpired(this.start.secondsMax), CLOSE.normal);
  }

  protected readonly nextRequestId = (): string => `${this.start.ctx.state.requestId}n${++this.#calls}`;

  async #take(message: Buffer, isBinary: boolean): Promise<void> {
    let eventId: string | null = null;
    try {
      const sent = readJson(message, isBinary);
      if (typeof sent.event_id === 'string') eventId = sent.event_id.slice(0, 512);
      await this.handle(this.start.dialect.read(sent), eventId);
    } catch (error) {
      // A client that sends faster than it reads its errors is read more slowly.
      await this.refuse(error, eventId);
    }
  }

  /** Sends an error. One that ends every further call ends the session too. */
  protected refuse(thrown: unknown, eventId: string | null): Promise<void> | undefined {
    if (thrown instanceof ClientLeft) return undefined;
    const { ctx, services, socket } = this.start;
    const error = asApiError(thrown, ctx.state.requestId);
    if (error.status >= 500) services.log.warn({ err: thrown, requestId: ctx.state.requestId }, 'realtime session');
    if (error.status === 401 || error.status === 402) {
      socket.fail(error);
      return undefined;
    }
    const { type, ...members } = errorEvent(error.body, eventId);
    return this.emit(type, members);
  }

  /** What the service itself says of a session. */
  protected labels(): { id: string; expires_at: number } {
    const { ctx, secondsMax } = this.start;
    const { startedAtMs, requestId } = ctx.state;
    return {
      id: requestId.replace('req_', 'sess_'),
      expires_at: Math.floor(startedAtMs / 1_000) + secondsMax,
    };
  }

  protected emit(type: string, members: object): Promise<void> | undefined {
    const { socket, dialect } = this.start;
    let full: Promise<void> | undefined;
    for (const event of dialect.write({ type, event_id: newId('event'), ...members }))
      full = socket.send(event) ?? full;
    return full;
  }
}
