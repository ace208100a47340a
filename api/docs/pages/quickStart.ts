import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../../base/web.ts';
import type { Model } from '../../../db/catalog/catalog.ts';

/** An example program that works when pasted, with `BASE_URL` and `API_KEY` in the environment. */
interface Snippet {
  id: string;
  client: string;
  /** The command that installs the client; none for curl. */
  install?: string;
  code: string;
}

type Source = Omit<Snippet, 'code'> & { file: string; kind: Model['kind'] };

const SOURCES: Source[] = [
  {
    id: 'openai-python',
    client: 'OpenAI for Python',
    install: 'pip install openai',
    file: 'openai-python.py',
    kind: 'text',
  },
  {
    id: 'openai-node',
    client: 'OpenAI for Node',
    install: 'npm install openai',
    file: 'openai-node.mjs',
    kind: 'text',
  },
  { id: 'curl', client: 'curl', file: 'curl.sh', kind: 'text' },
  {
    id: 'elevenlabs-python',
    client: 'ElevenLabs for Python',
    install: 'pip install elevenlabs',
    file: 'elevenlabs-python.py',
    kind: 'speech',
  },
  {
    id: 'elevenlabs-node',
    client: 'ElevenLabs for Node',
    install: 'npm install @elevenlabs/elevenlabs-js',
    file: 'elevenlabs-node.mjs',
    kind: 'speech',
  },
];

/** The first call with each client and the first model of its kind. Omitted if the catalogue has no such model. */
export function quickStartOf(models: readonly Model[]): Snippet[] {
  return SOURCES.flatMap(({ file, kind: needed, ...source }) => {
    const model = models.find(({ kind }) => kind === needed);
    if (!model) return [];
    const text = readFileSync(new URL(`../../../docs/guides/snippets/${file}`, import.meta.url), 'utf8');
    return [{ ...source, code: text.trimEnd().replaceAll('MODEL_ID', model.id) }];
  });
}

/** The programs as a list, which the pages' script turns into tabs. */
export const quickStartTabs = (models: readonly Model[]): string =>
  `<div class="tabs">${quickStartOf(models).map(snippetSection).join('')}</div>`;

const snippetSection = ({ id, client, install, code }: Snippet): string =>
  `<section id="quick-start-${id}"><h3>${escapeHtml(client)}</h3>${install ? `<pre>${escapeHtml(install)}</pre>` : ''}<pre>${escapeHtml(code)}</pre></section>`;
