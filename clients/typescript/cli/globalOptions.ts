/** The options that every command takes. */
export interface GlobalOptions {
  baseUrl?: string;
  profile?: string;
  json?: boolean;
}
