import { ApiFailure, sentenceOf } from '../api/failure.ts';

/** The input cannot be sent yet. */
export class IncompleteInput extends Error {}

/** Why there is no answer, in a form that can be kept with the conversation. */
export interface Failure {
  /** Its HTTP status; 0 without a response, or when the stream broke off. */
  status: number;
  code: string;
  message: string;
  requestId: string | null;
}

export function failureIn(error: unknown, requestId: string | null = null): Failure {
  if (error instanceof ApiFailure) {
    const { status, code, message } = error;
    return { status, code, message, requestId: error.requestId };
  }
  if (error instanceof IncompleteInput) return { status: 400, code: 'incomplete', message: error.message, requestId };
  return { status: 0, code: 'interrupted', message: sentenceOf(error), requestId };
}

/** The next step after a failure; undefined where its own message says so. */
export function remedyOf({ status, code }: Failure): string | undefined {
  if (code === 'incomplete') return 'Correct it in the parameters, then send again.';
  if (status === 402) return 'Add credit, or raise the limit that the message names. Then send again.';
  if (status === 429) return 'Wait a moment, then send again.';
  if (status === 413) return 'Send a shorter conversation or a smaller image.';
  if (status === 400 || status === 422) return 'Change the parameter or the message it names, then send again.';
  if (status === 403) return 'Ask an owner of this workspace.';
  if (status >= 500 || status === 0) return 'Send it again. You pay only for what was answered.';
  return undefined;
}
