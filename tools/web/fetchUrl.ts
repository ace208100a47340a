import * as z from 'zod';
import { sizeText } from '../../base/limits.ts';
import { defineTool } from '../defineTool.ts';
import { decodeText } from '../../sandbox/decodeText.ts';
import { isPdf, pdfText } from '../files/pdfText.ts';
import { textResult, ToolFailure, type Tool } from '../tool.ts';
import { fetchPage, type Page, PAGE_BYTES_MAX } from './fetchPage.ts';
import type { Agent } from 'undici';
import type { Egress } from './guardedAgent.ts';
import { htmlText } from './htmlText.ts';

/** Fetches a public page as text. The agent is the guard: see createGuardedAgent. */
export function fetchUrl(agent: Agent, egress: Egress): Tool {
  return defineTool({
    name: 'fetch_url',
    description: `Fetches a public web page as text: HTML without its markup, JSON, XML and plain text as they are, the text of a PDF. At most ${sizeText(PAGE_BYTES_MAX)}.`,
    kind: 'tool',
    input: z.strictObject({ url: z.string().max(4096).describe("Absolute address, like 'https://example.com/'.") }),
    run: async ({ url }, { signal }) => {
      const page = await fetchPage(url, { agent, egress, signal });
      const text = await textOfPage(page, signal);
      return textResult(
        `Content of ${page.url.href}:\n\n${text}${page.isCut ? `\n[Cut after ${sizeText(PAGE_BYTES_MAX)}.]` : ''}`,
      );
    },
  });
}

async function textOfPage({ mediaType, charset, bytes, isCut }: Page, signal: AbortSignal): Promise<string> {
  if (mediaType === 'application/pdf' || isPdf(bytes)) {
    if (isCut) throw new ToolFailure(`The PDF is larger than ${sizeText(PAGE_BYTES_MAX)}.`);
    return pdfText(bytes, signal);
  }
  const text = decodeAs(charset, bytes);
  if (text === undefined) throw new ToolFailure('The page is no text.');
  return mediaType === 'text/html' || mediaType === 'application/xhtml+xml' ? htmlText(text) : text;
}

function decodeAs(charset: string | undefined, bytes: Uint8Array): string | undefined {
  if (!charset || charset === 'utf-8') return decodeText(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return decodeText(bytes);
  }
}
