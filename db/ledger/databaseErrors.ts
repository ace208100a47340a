/** How long to wait before a database that was away is asked again. */
export const RETRY_DELAY_MS = 100;

/** Whether a repetition can't mend an error: its SQLSTATE is of data, integrity, unknown names or raised exceptions. */
export function isRefusedByData(error: unknown): boolean {
  return /^(22|23|42|P0)...$/.test((error as { code?: string }).code ?? '');
}
