/** How much a JSON body may be: bytes after inflation, and members and elements together. */
export interface BodyLimits {
  bytesMax: number;
  valuesMax: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** What a route takes unless it needs more. */
export const SMALL_BODY: BodyLimits = { bytesMax: 256 * KIB, valuesMax: 5_000 };
/** For texts of 200,000 characters and more, each of which may be an escape of six bytes. */
export const LONG_TEXT_BODY: BodyLimits = { bytesMax: 4 * MIB, valuesMax: 5_000 };
/** For lists of token numbers. */
export const TOKENS_BODY: BodyLimits = { bytesMax: 4 * MIB, valuesMax: 500_000 };
/** For conversations, with images, sound and files in them. */
export const MEDIA_BODY: BodyLimits = { bytesMax: 64 * MIB, valuesMax: 100_000 };
