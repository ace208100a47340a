import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { faultOfValue } from '../foreignJson.ts';
import type { ToolResult } from '../tool.ts';

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
  return fault ? `[The content is not shown: ${fault}.]` : JSON.stringify(value);
}

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
        : `[resource: ${label(block.resource.uri)}, ${label(block.resource.mimeType ?? 'bytes')}, ${bytesIn(block.resource.blob)} bytes, not shown]`;
    default:
      return block satisfies never;
  }
}

const label = (text: string) => text.slice(0, LABEL_CHARACTERS_MAX);
const bytesIn = (base64: string) => Buffer.byteLength(base64, 'base64');
