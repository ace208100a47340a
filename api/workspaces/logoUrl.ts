/** Below which logos are served. */
export const LOGO_PATH = '/v1/logos';

/** The address of a workspace's logo, or null. */
export const logoUrlOf = (fileId: string | null, publicUrl: string): string | null =>
  fileId === null ? null : new URL(`${LOGO_PATH}/${fileId}`, publicUrl).href;
