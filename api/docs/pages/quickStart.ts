import type { Model } from '../../../db/catalog/catalog.ts';
import { clientWheel } from './clientWheel.ts';
import { readSnippet, tabsOf } from './programTabs.ts';

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
  {
    id: 'ledgerline-typescript',
    client: 'Ledgerline for TypeScript',
    install: 'npm install "$BASE_URL/clients/ledgerline.tgz"',
    file: 'ledgerline-typescript.mjs',
    kind: 'text',
  },
  {
    id: 'ledgerline-python',
    client: 'Ledgerline for Python',
    install: `pip install "$BASE_URL/clients/${clientWheel}"`,
    file: 'ledgerline-python.py',
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
    return [{ ...source, code: readSnippet(file, model.id) }];
  });
}

/** The programs as tabs. */
export const quickStartTabs = (models: readonly Model[]): string =>
  tabsOf(
    quickStartOf(models).map(({ id, client, install, code }) => ({
      id: `quick-start-${id}`,
      title: client,
      install,
      code,
    })),
  );
