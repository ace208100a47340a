/** A text as a pattern of `like`, which matches that text alone. */
export const likePattern = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** A pattern of `like` that matches whatever contains the text. */
export const containing = (text: string): string => `%${likePattern(text)}%`;
