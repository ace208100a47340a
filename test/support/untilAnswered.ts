/** Retries a request while the first one with its Idempotency-Key is still in progress. */
export async function untilAnswered(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 409 || response.headers.get('x-should-retry') !== 'true') return response;
  }
}
