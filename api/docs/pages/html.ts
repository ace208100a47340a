import { escapeHtml } from '../../../base/web.ts';

/** A sentence in HTML. Text between backticks becomes code. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
