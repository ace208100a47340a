import type { Json } from '../provider.ts';
import { imageSizeOf, isJpeg, type ImageSize } from '../../base/imageSize.ts';
import { isObject } from '../../base/json.ts';
import { soundSecondsOf } from './soundSeconds.ts';

/** A model's tokens for images and sounds. */
export interface MediaTokens {
  /** Each image, and the whole of a low-detail image. */
  imageBase: number;
  /** Each 512-pixel tile of a high-detail image. */
  imageTile: number;
  audioSecond: number;
}

/** OpenAI's documented rule for most of its models. */
const OPENAI_TOKENS: MediaTokens = { imageBase: 85, imageTile: 170, audioSecond: 10 };

const LONG_SIDE_MAX = 2048;
const SHORT_SIDE_MAX = 768;
const TILE_SIDE = 512;
/** The most tiles an image can have by this rule: 2048 by 768. */
const TILES_MAX = 8;
/** In original detail an image counts by 32-pixel patches, up to a limit. */
const PATCH_SIDE = 32;
const PATCHES_MAX = 10_000;
const BYTES_PER_TOKEN = 3;
// Enough base64 to include an image's size: in a JPEG it follows the preview and the colour profile.
const HEAD_CHARS = 64;
const JPEG_HEAD_CHARS = 256 * 1024;

/** How much of a body's text is images, sounds and files, and their greatest token count. */
export interface MediaSize {
  characters: number;
  tokens: number;
}

/** Everything in a chat body that is not text. An image at a URL has an unknown size: the largest is assumed. */
export function mediaIn({ messages }: Json, tokens: MediaTokens = OPENAI_TOKENS): MediaSize {
  const size = { characters: 0, tokens: 0 };
  if (!Array.isArray(messages)) return size;
  for (const message of messages) {
    if (!isObject(message) || !Array.isArray(message.content)) continue;
    for (const part of message.content) addPart(size, part, tokens);
  }
  return size;
}

function addPart(size: MediaSize, part: unknown, tokens: MediaTokens): void {
  const payload = payloadOf(part);
  if (payload === undefined) return;
  size.characters += payload.length;
  size.tokens += partTokensOf(part as Json, tokens, 'most');
}

const payloadOf = (part: unknown): string | undefined => {
  if (!isObject(part)) return undefined;
  const { image_url: image, input_audio: sound, file } = part;
  const payload = [isObject(image) && image.url, isObject(sound) && sound.data, isObject(file) && file.file_data];
  return payload.find((text) => typeof text === 'string');
};

/**
 * Tokens of one non-text part of a message. `unknown` is the count for an image of unreadable size: the maximum for a hold, the minimum for
 * a bill.
 */
export function partTokensOf(
  part: Json,
  tokens: MediaTokens = OPENAI_TOKENS,
  unknown: 'most' | 'least' = 'least',
): number {
  const payload = payloadOf(part) ?? '';
  if (isObject(part.image_url)) return imageTokensOf(payload, part.image_url.detail, { tokens, unknown });
  if (isObject(part.input_audio)) return Math.ceil(soundSecondsOf(payload) * tokens.audioSecond);
  const textTokens = Math.ceil((payload.length * 3) / 4 / BYTES_PER_TOKEN);
  if (payload.startsWith('data:text/')) return textTokens;
  // The amount of text in other file formats is unknown here.
  return unknown === 'least' ? tokens.imageBase : Math.max(tokens.imageBase, textTokens);
}

function imageTokensOf(
  url: string,
  detail: unknown,
  { tokens, unknown }: { tokens: MediaTokens; unknown: 'most' | 'least' },
): number {
  if (detail === 'low') return tokens.imageBase;
  const size = sizeIn(url);
  if (!size && unknown === 'least') return tokens.imageBase;
  const tiled = tokens.imageBase + tokens.imageTile * (size ? tilesOf(size) : TILES_MAX);
  return detail === 'original' ? Math.max(tiled, size ? patchesOf(size) : PATCHES_MAX) : tiled;
}

/** The size of the image in a `data:` URL; undefined when it is empty or unreadable. */
function sizeIn(url: string): ImageSize | undefined {
  if (!url.startsWith('data:')) return undefined;
  const start = url.indexOf(',') + 1;
  const decode = (characters: number) => Buffer.from(url.slice(start, start + characters), 'base64');
  const head = decode(HEAD_CHARS);
  const size = imageSizeOf(isJpeg(head) ? decode(JPEG_HEAD_CHARS) : head);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Scaled into a square of 2048, then to a short side of 768, never up: the number of 512-pixel tiles that cover it. */
function tilesOf({ width, height }: ImageSize): number {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const scale = Math.min(1, LONG_SIDE_MAX / long, SHORT_SIDE_MAX / short);
  return Math.ceil((long * scale) / TILE_SIDE) * Math.ceil((short * scale) / TILE_SIDE);
}

const patchesOf = ({ width, height }: ImageSize) =>
  Math.min(PATCHES_MAX, Math.ceil(width / PATCH_SIDE) * Math.ceil(height / PATCH_SIDE));
