import type { Api } from './api.ts';
import type { Send } from './http.ts';

/** What the parts of the client work with. */
export interface Context {
  baseUrl: string;
  api: Api;
  send: Send;
}
