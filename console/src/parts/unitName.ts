/** `input_tokens` for people: Input tokens. */
export function unitName(unit: string): string {
  const words = unit.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
