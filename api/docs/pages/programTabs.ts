import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../../base/web.ts';

const SNIPPETS = new URL('../../../docs/guides/snippets/', import.meta.url);
const LANGUAGES = { mjs: 'TypeScript', py: 'Python' };

/** A program of the guides, for a model of texts. */
export const readSnippet = (file: string, textModel: string): string =>
  readFileSync(new URL(file, SNIPPETS), 'utf8').trimEnd().replaceAll('MODEL_ID', textModel);

/** A tab of programs: with `install`, the command that installs what it needs. */
export interface ProgramTab {
  id: string;
  title: string;
  install?: string | undefined;
  code: string;
}

/** Programs as a list, which the pages' script turns into tabs. */
export const tabsOf = (programs: readonly ProgramTab[]): string =>
  `<div class="tabs">${programs.map(sectionOf).join('')}</div>`;

const sectionOf = ({ id, title, install, code }: ProgramTab): string =>
  `<section id="${id}"><h3>${escapeHtml(title)}</h3>${install ? `<pre>${escapeHtml(install)}</pre>` : ''}<pre>${escapeHtml(code)}</pre></section>`;

/** The same program in each language of the clients, from files of one name. */
export function programTabs(name: string, textModel: string): string {
  const programs = Object.entries(LANGUAGES).map(([ending, title]) => ({
    id: `${name.replaceAll('/', '-')}-${title.toLowerCase()}`,
    title,
    code: readSnippet(`${name}.${ending}`, textModel),
  }));
  return `${tabsOf(programs)}\n`;
}
