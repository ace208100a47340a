/** An answer of the API as a test looks at it. */
export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** `GET` with a key; the body parsed as JSON. */
export async function getJson<T>(url: string, key?: string): Promise<Answer<T>> {
  const response = await fetch(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}
