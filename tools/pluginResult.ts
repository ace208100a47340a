import { hash } from 'node:crypto';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { faultOfValue } from './foreignJson.ts';
import type { ToolResult } from './tool.ts';

// Length limit of names, addresses and media types.
const LABEL_CHARACTERS_MAX = 1_000;

/** A plugin's answer as text for a model. Content that is not text is described. */
export function resultOf({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const text = content.map(textOf).join('\n') || structuredText(structuredContent);
  return { text, isError: isError ?? false, sandboxMs: 0 };
}

function structuredText(value: unknown): string {
  if (!value) return '[No content.]';
  const fault = faultOfValue(value);
  if (fault) return `[The content is not shown: ${fault}.]`;
  return JSON.stringify(value) + (mayBeRounded(value) ? `\n${ROUNDED}` : '');
}

// The library that parses the answer keeps 53 bits.
const ROUNDED = `[Integers above ${Number.MAX_SAFE_INTEGER} may have lost their last digits: only a text keeps them.]`;

const mayBeRounded = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(mayBeRounded)
    : Number.isInteger(value) && !Number.isSafeInteger(value);

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}: ${label(block.mimeType)}, ${bytesIn(block.data)} bytes, not shown]`;
    case 'resource_link':
      return `[link: ${label(block.name)}, ${label(block.uri)}]`;
    case 'resource':
      return 'text' in block.resource
        ? `[resource: ${label(block.resource.uri)}]\n${block.resource.text}`
        : `[resource: ${label(block.resource.uri)}, ${label(block.resource.mimeType ?? 'bytes')}, ` +
            `${bytesIn(block.resource.blob)} bytes, not shown]`;
    default:
      return block satisfies never;
  }
}

const label = (text: string) => text.slice(0, LABEL_CHARACTERS_MAX);
const bytesIn = (base64: string) => Buffer.byteLength(base64, 'base64');

const SECRET_CHARACTERS_MIN = 8;
const ERROR_CHARACTERS_MAX = 500;

/** Removes a plugin's credentials from its answers: a plugin may quote the request, and answers reach models, events and logs. */
export interface Redact {
  text(text: string): string;
  /** The error's text, shortened, as a new error: the causes of the original may quote anything. */
  error(error: unknown): Error;
}

/** @param credentials the values sent to the plugin, such as `Bearer …`; later values may be added. */
export function createRedaction(credentials: string[]): Redact {
  // Includes the part after the scheme's name. Shorter words would match ordinary text.
  const secrets = () =>
    credentials
      .flatMap((value) => [value, ...value.split(/\s+/)])
      .filter(({ length }) => length >= SECRET_CHARACTERS_MIN);
  const text = (given: string) => secrets().reduce((sum, secret) => sum.replaceAll(secret, '[credential]'), given);
  return { text, error: (error) => new Error(text(String(error)).slice(0, ERROR_CHARACTERS_MAX)) };
}

const NAME_CHARACTERS_MAX = 64;

/**
 * The model's name for a plugin's tool: `<plugin>__<tool>`, in OpenAI's characters and length. A changed name gets a hash of the original,
 * so that two names stay different.
 */
export function toolNameOf(pluginId: string, toolName: string): string {
  const whole = `${pluginId}__${toolName}`;
  const fitting = whole.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (fitting === whole && whole.length <= NAME_CHARACTERS_MAX) return whole;
  const ending = hash('sha256', whole, 'hex').slice(0, 8);
  return `${fitting.slice(0, NAME_CHARACTERS_MAX - ending.length - 1)}_${ending}`;
}
