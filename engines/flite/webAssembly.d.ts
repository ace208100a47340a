/** The part of Node's `WebAssembly` that is used here; Node's types rely on the browser's. */
declare namespace WebAssembly {
  interface Module {
    readonly module?: never;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  type ModuleImports = Record<string, (...args: never[]) => unknown>;
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Record<string, ModuleImports>): Promise<Instance>;
}
