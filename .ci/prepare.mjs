// Obtains, side by side, what tests would otherwise install or fetch one after the other while they run: the browser's pages, the packages
// for customers, Temporal, the workflows' bundle, the embedded model, the recogniser, and the clients of other languages. A failure is
// printed; the test that needs the missing part tries again.
import { fetchModel } from '../engines/fetching/fetchModel.ts';
import { fetchRecogniser } from '../engines/transcription/pocketsphinx.ts';
import { buildClients } from '../ops/stack/builds/clients.ts';
import { buildPages } from '../ops/stack/builds/pages.ts';
import { findTemporalBinary } from '../ops/stack/temporalBinary.ts';
import { installNodeClients } from '../test/clients/nodeClients.ts';
import { hasPython, installVenv } from '../test/clients/pythonVenv.ts';
import { readWorkflowBundle } from '../worker/workflowBundle.ts';

const onProgress = console.log;
const dataDir = '.data';

const tasks = {
  pages: () => buildPages({ projectDir: process.cwd(), env: process.env, onProgress }),
  clients: () => buildClients({ projectDir: process.cwd(), env: process.env, onProgress }),
  Temporal: () => findTemporalBinary({ binDir: `${dataDir}/bin`, searchPath: process.env.PATH, onProgress }),
  workflows: readWorkflowBundle,
  model: () => fetchModel({ dataDir, onProgress }),
  'Node clients': () => installNodeClients(),
  'Node clients of agents': () => installNodeClients('agents'),
  ...(hasPython && {
    recogniser: () => fetchRecogniser({ dataDir, onProgress }),
    'Python clients': () => installVenv('venv', 'requirements.txt'),
    'package for Python': () => installVenv('venv-sdk', 'sdk-requirements.txt'),
    'Python clients of agents': () => installVenv('venv-agents', 'agents-requirements.txt'),
    'store of objects': () => installVenv('venv-s3', 's3-requirements.txt'),
    'Python SSE client': () => installVenv('venv-sse', 'sse-requirements.txt'),
  }),
};

const results = await Promise.allSettled(Object.values(tasks).map((task) => task()));
const failed = Object.keys(tasks).filter((name, at) => results[at].status === 'rejected');
for (const { reason } of results) if (reason) console.error(reason);
if (failed.length > 0) console.error(`not prepared: ${failed.join(', ')}`);
process.exit(failed.includes('pages') ? 1 : 0);
