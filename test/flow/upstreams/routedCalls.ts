import { until } from '../../support/until.ts';

/** What the record of a call tells of its upstreams. */
export interface Told {
  upstream: string;
  attempts: number;
  routing: {
    by: string;
    healthy: number;
    of: number;
    reason: string;
    attempts: { upstream: string; outcome: string; ms: number | null }[];
  } | null;
  [member: string]: unknown;
}

/** Reads the record of an ended call. */
export async function readRequest(url: string, secret: string, id: string): Promise<Told> {
  let body: unknown;
  await until(async () => {
    const response = await fetch(`${url}/platform/v1/requests/${id}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    body = await response.json();
    return response.status === 200;
  });
  return body as Told;
}
