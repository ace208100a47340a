import { randomBytes } from 'node:crypto';

/** Sends an event of a session. Resolves when there is room for more. */
export type Emit = (type: string, members?: object) => Promise<void> | undefined;

/** A client's event that a session refuses. */
export class Refusal extends Error {
  readonly code: string;
  readonly param: string | null;

  constructor(code: string, message: string, param: string | null = null) {
    super(message);
    this.code = code;
    this.param = param;
  }
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(10).toString('hex')}`;
