const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as it is written in XML, in content and in attributes. Control characters, for which XML has no form, are left out. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r\u0080-\u009f]|[\ufffe\uffff]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);
