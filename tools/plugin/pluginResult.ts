import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ToolResult } from '../tool.ts';

/** A plugin's answer as text for a model. What is no text is described. */
export function resultOf({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const text =
    content.map(textOf).join('\n') || (structuredContent ? JSON.stringify(structuredContent) : '[No content.]');
  return { text, isError: isError ?? false, sandboxMs: 0 };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${bytesIn(block.data)} bytes, not shown]`;
    case 'resource_link':
      return `[link: ${block.name}, ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource
        ? `[resource: ${block.resource.uri}]\n${block.resource.text}`
        : `[resource: ${block.resource.uri}, ${block.resource.mimeType ?? 'bytes'}, ${bytesIn(block.resource.blob)} bytes, not shown]`;
    default:
      return block satisfies never;
  }
}

const bytesIn = (base64: string) => Buffer.byteLength(base64, 'base64');
