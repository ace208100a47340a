/** The body of an answer that has the status; throws with the body of any other. */
export async function read<T = Record<string, unknown>>(
  answer: Response | Promise<Response>,
  status = 200,
): Promise<T> {
  const response = await answer;
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${text}`);
  return JSON.parse(text) as T;
}
