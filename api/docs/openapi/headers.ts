/** A header as the document describes it. */
export function header(description: string, type: 'string' | 'integer' = 'string') {
  return { description, schema: { type } };
}

/** The headers of answers, by name. */
export const HEADERS = {
  'x-request-id': header('Names this request in logs, bills and support.'),
  'x-api-version': header('The date of this interface.'),
  'x-cost-usd': header('What the answer cost, in US dollars. Not on streams: read it from the request afterwards.'),
  'x-truncated': header(
    'Only on an answer that ended because the money did: `balance`, or `key` for the spend limit of the key.',
  ),
  'x-ratelimit-limit-requests': header('Requests the key may make a minute.', 'integer'),
  'x-ratelimit-remaining-requests': header('Requests left of them now.', 'integer'),
  'x-ratelimit-reset-requests': header('When all are there again, for example `1s` or `6m0s`.'),
  'x-ratelimit-limit-concurrency': header('Requests the key may have in flight.', 'integer'),
  'x-ratelimit-remaining-concurrency': header('How many more it may start now.', 'integer'),
};

export type HeaderName = keyof typeof HEADERS;

export const HEADER_NAMES = Object.keys(HEADERS) as HeaderName[];

/** Of each of these headers, by name, where the document describes it. */
export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
