import { InvalidRequest } from '../../../../base/errors/invalidRequest.ts';

/** The answer to a refused request, or null when the request was accepted. */
export function refusalOf(parse: (body: unknown) => unknown, body: unknown): InvalidRequest | null {
  try {
    parse(body);
    return null;
  } catch (error) {
    if (error instanceof InvalidRequest) return error;
    throw error;
  }
}
