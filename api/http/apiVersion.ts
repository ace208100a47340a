/** The date of the interface, told on every answer and in the document. It moves with additive changes too. */
export const API_VERSION = '2026-11-21';
