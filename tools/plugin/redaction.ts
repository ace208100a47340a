const SECRET_CHARACTERS_MIN = 8;
const ERROR_CHARACTERS_MAX = 500;

/** Removes a plugin's credentials from its answers: a plugin may quote the request, and answers reach models, events and logs. */
export interface Redact {
  text(text: string): string;
  /** The error's text, shortened, as a new error: the causes of the original may quote anything. */
  error(error: unknown): Error;
}

/** @param credentials the values of the headers that are sent to the plugin, such as `Bearer …`. */
export function createRedaction(credentials: string[]): Redact {
  // Includes the part after the scheme's name. Shorter words would match ordinary text.
  const secrets = credentials
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter(({ length }) => length >= SECRET_CHARACTERS_MIN);
  const text = (given: string) => secrets.reduce((sum, secret) => sum.replaceAll(secret, '[credential]'), given);
  return { text, error: (error) => new Error(text(String(error)).slice(0, ERROR_CHARACTERS_MAX)) };
}
