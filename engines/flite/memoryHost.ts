const ERRNO = { ok: 0, badFile: 8, unsupported: 58 };
const STDOUT = 1;
const ROOT = 3;
const OUTPUT = 4;
const DIRECTORY = 3;
const FILE = 4;
const IOVEC_BYTES = 8;

class ProgramExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/**
 * Runs a WASI program (preview 1) that prints to its standard output and writes one file, whatever its path. The program can access only a
 * clock: no files, no environment, no network. Throws the errors of a broken program.
 */
export async function runInMemory(module: WebAssembly.Module, args: string[]) {
  const host = new MemoryHost(args);
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: host.imports() });
  host.memory = instance.exports.memory as WebAssembly.Memory;
  try {
    (instance.exports._start as () => void)();
  } catch (error) {
    if (!(error instanceof ProgramExit)) throw error;
    if (error.code !== 0) throw new Error(`The program ended with ${error.code}.`, { cause: error });
  }
  return { stdout: Buffer.concat(host.stdout).toString(), file: Buffer.concat(host.file) };
}

/** The calls of a program that reads its arguments and writes one file sequentially. */
class MemoryHost {
  memory!: WebAssembly.Memory;
  readonly stdout: Buffer[] = [];
  readonly file: Buffer[] = [];
  readonly #args: Buffer[];

  constructor(args: string[]) {
    this.#args = args.map((arg) => Buffer.from(`${arg.replaceAll('\0', ' ')}\0`));
  }

  imports(): WebAssembly.ModuleImports {
    return {
      args_get: (list: number, text: number) => this.#putArgs(list, text),
      args_sizes_get: (count: number, bytes: number) => this.#putArgSizes(count, bytes),
      clock_time_get: (_clock: number, _precision: bigint, time: number) => this.#putTime(time),
      fd_close: () => ERRNO.ok,
      fd_fdstat_get: (fd: number, stat: number) => this.#putStat(fd, stat),
      fd_fdstat_set_flags: () => ERRNO.ok,
      fd_prestat_get: (fd: number, prestat: number) => this.#putRoot(fd, prestat),
      fd_prestat_dir_name: (_fd: number, path: number) => this.#putRootName(path),
      fd_read: (_fd: number, _iovecs: number, _count: number, read: number) => this.#putNumber(read, 0),
      fd_seek: () => ERRNO.unsupported,
      fd_write: (fd: number, iovecs: number, count: number, written: number) => this.#write(fd, iovecs, count, written),
      path_open: (...call: unknown[]) => this.#putNumber(call.at(-1) as number, OUTPUT),
      proc_exit: (code: number) => {
        throw new ProgramExit(code);
      },
    };
  }

  get #view(): DataView {
    return new DataView(this.memory.buffer);
  }

  #putNumber(address: number, value: number): number {
    this.#view.setUint32(address, value, true);
    return ERRNO.ok;
  }

  #putBytes(address: number, bytes: Uint8Array): void {
    new Uint8Array(this.memory.buffer).set(bytes, address);
  }

  #putArgs(list: number, text: number): number {
    let address = text;
    for (const [at, arg] of this.#args.entries()) {
      this.#putNumber(list + at * 4, address);
      this.#putBytes(address, arg);
      address += arg.length;
    }
    return ERRNO.ok;
  }

  #putArgSizes(count: number, bytes: number): number {
    this.#putNumber(count, this.#args.length);
    return this.#putNumber(
      bytes,
      this.#args.reduce((sum, arg) => sum + arg.length, 0),
    );
  }

  #putTime(address: number): number {
    this.#view.setBigUint64(address, BigInt(Date.now()) * 1_000_000n, true);
    return ERRNO.ok;
  }

  #putStat(fd: number, stat: number): number {
    this.#putBytes(stat, new Uint8Array(24));
    this.#view.setUint8(stat, fd === ROOT ? DIRECTORY : FILE);
    this.#view.setBigUint64(stat + 8, 0xffff_ffffn, true);
    this.#view.setBigUint64(stat + 16, 0xffff_ffffn, true);
    return ERRNO.ok;
  }

  #putRoot(fd: number, prestat: number): number {
    if (fd !== ROOT) return ERRNO.badFile;
    this.#putNumber(prestat, 0);
    return this.#putNumber(prestat + 4, 1);
  }

  #putRootName(path: number): number {
    this.#putBytes(path, Buffer.from('/'));
    return ERRNO.ok;
  }

  #write(fd: number, iovecs: number, count: number, written: number): number {
    let bytes = 0;
    for (let at = 0; at < count; at++) {
      const start = this.#view.getUint32(iovecs + at * IOVEC_BYTES, true);
      const length = this.#view.getUint32(iovecs + at * IOVEC_BYTES + 4, true);
      const copy = Buffer.from(this.memory.buffer.slice(start, start + length));
      if (fd === STDOUT) this.stdout.push(copy);
      if (fd === OUTPUT) this.file.push(copy);
      bytes += length;
    }
    return this.#putNumber(written, bytes);
  }
}
