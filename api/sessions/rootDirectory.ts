/** The id of a session's top directory: what lies there has it as `parent_id`. It is no entry itself. */
export const rootIdOf = (sessionId: string): string => sessionId.replace(/^ses_/, 'ent_');

/** The directory that a caller means: null, nothing and the top's own id mean the top, which is null inside. */
export function directoryOf(sessionId: string, parentId: string | null | undefined): string | null {
  return !parentId || parentId === rootIdOf(sessionId) ? null : parentId;
}
