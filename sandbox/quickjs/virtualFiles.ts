import { isFilePath } from '../filePath.ts';

/** Thrown into the program when its files would exceed the disk limit. */
export const DISK_FULL = 'The disk is full';

export type VirtualFiles = ReturnType<typeof createVirtualFiles>;

/** A program's files, in memory: a path is only a key, so there is nothing to escape from. */
export function createVirtualFiles(diskBytes: number) {
  const files = new Map<string, Uint8Array>();
  const written = new Set<string>();
  let usedBytes = 0;

  function store(path: string, bytes: Uint8Array): void {
    const grownBytes = bytes.length - (files.get(path)?.length ?? 0);
    if (usedBytes + grownBytes > diskBytes) throw new Error(`${DISK_FULL}: ${diskBytes} bytes is the limit`);
    usedBytes += grownBytes;
    files.set(path, bytes);
  }

  return {
    /** Adds a file that the program was given. */
    add: store,
    read(path: string): Uint8Array {
      const bytes = files.get(normal(path));
      if (!bytes) throw new Error(`There is no file '${path}'. Files: ${[...files.keys()].join(', ') || 'none'}`);
      return bytes;
    },
    write(path: string, bytes: Uint8Array): void {
      const name = normal(path);
      if (!isFilePath(name))
        throw new Error(`'${path}' is no path of a file: use a relative path like 'out/report.txt'`);
      store(name, bytes);
      written.add(name);
    },
    list: () => [...files.keys()].toSorted(),
    changed: () => [...written].map((path) => ({ path, bytes: files.get(path)! })),
  };
}

const normal = (path: string) => path.replace(/^\.\//, '');
