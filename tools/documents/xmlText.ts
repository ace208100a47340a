const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for XML content and attributes. Omits control characters, which XML cannot represent. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r\u0080-\u009f]|[\ufffe\uffff]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);
