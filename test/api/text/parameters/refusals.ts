import { InvalidRequest } from '../../../../api/text/parameters/refusal.ts';

/** What a refused request is answered with, or null when the request was taken. */
export function refusalOf(parse: (body: unknown) => unknown, body: unknown): InvalidRequest | null {
  try {
    parse(body);
    return null;
  } catch (error) {
    if (error instanceof InvalidRequest) return error;
    throw error;
  }
}
