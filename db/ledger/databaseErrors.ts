/** How long to wait before a database that was away is asked again. */
export const RETRY_DELAY_MS = 100;

// SQLSTATE classes of errors that a repetition can't mend: data, integrity, unknown names, raised exceptions.
export function isRefusedByData(error: unknown): boolean {
  return /^(22|23|42|P0)...$/.test((error as { code?: string }).code ?? '');
}
