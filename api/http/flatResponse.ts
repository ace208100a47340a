import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';

/**
 * Node's HTTP module, required instead of imported: an import reads every member of it, and some members load Node's fetch and WebSocket,
 * which are not used here. That would add a twentieth to the API's start time.
 */
export const { createServer, ServerResponse, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http');

/** The date of the interface, in every answer and in the document. It changes with additive changes too. */
export const API_VERSION = '2026-11-21';

/**
 * A response that keeps its headers as one list, name before value, until its head is sent. Node keeps an object and an array for each
 * header: with a dozen on every answer that costs a tenth of a call. Header names are case-insensitive.
 */
export class FlatResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  // A plain member, not a private one: it is read a dozen times for each answer.
  flatHeaders: OutgoingHttpHeader[] | undefined = undefined;

  /**
   * @throws TypeError for a value that is invalid in a header, and Error once the head is sent.
   */
  override setHeader(name: string, value: number | string | readonly string[]): this {
    if (this.headersSent) throw new Error(`the head left before "${name}" was set`);
    if (typeof value === 'string') validateHeaderValue(name, value);
    const flat = (this.flatHeaders ??= []);
    const at = placeOf(flat, name);
    if (at === -1) flat.push(name, value as OutgoingHttpHeader);
    else flat[at + 1] = value as OutgoingHttpHeader;
    return this;
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    const at = placeOf(this.flatHeaders, name);
    return at === -1 ? undefined : this.flatHeaders![at + 1];
  }

  override hasHeader(name: string): boolean {
    return placeOf(this.flatHeaders, name) !== -1;
  }

  override removeHeader(name: string): void {
    const at = placeOf(this.flatHeaders, name);
    if (at !== -1) this.flatHeaders!.splice(at, 2);
  }

  override getHeaderNames(): string[] {
    return Object.keys(this.getHeaders());
  }

  override getHeaders(): OutgoingHttpHeaders {
    const flat = this.flatHeaders ?? [];
    const all: OutgoingHttpHeaders = {};
    for (let at = 0; at < flat.length; at += 2) all[String(flat[at]).toLowerCase()] = flat[at + 1];
    return all;
  }

  /** Sends the head. `headers` replace earlier ones of the same name. Releases the list, because the response object outlives its head. */
  override writeHead(status: number, ...more: unknown[]): this {
    if (typeof more[0] === 'string') this.statusMessage = String(more.shift());
    const [headers] = more as [OutgoingHttpHeaders | undefined];
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) this.setHeader(name, value);
    const flat = this.flatHeaders ?? [];
    this.flatHeaders = undefined;
    return super.writeHead(status, flat);
  }
}

// The bit by which the cases of a letter differ.
const CASE = 32;

function placeOf(flat: OutgoingHttpHeader[] | undefined, name: string): number {
  if (flat === undefined) return -1;
  for (let at = 0; at < flat.length; at += 2) if (isSame(flat[at] as string, name)) return at;
  return -1;
}

function isSame(known: string, name: string): boolean {
  if (known === name) return true;
  // Lower case is a new text: names of one length mostly differ here already.
  const at = known.length >> 1;
  if (known.length !== name.length || (known.charCodeAt(at) | CASE) !== (name.charCodeAt(at) | CASE)) return false;
  return known.toLowerCase() === name.toLowerCase();
}
