/**
 * The line of what a program complained about that tells why it ended. Node prints the line of the source first, then the error, then its
 * cause further in, and its own version last.
 */
export function errorLineIn(lines: string[]): string | undefined {
  return lines.findLast((line) => /^\S*(Error|Exception)\b/.test(line)) ?? lines.at(-1);
}
