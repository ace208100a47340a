/** What a probe must not reach: a port of the worker, the worker's process, its folder, and in QuickJS all of Node. */
export interface Target {
  port: number;
  pid: number;
  folder: string;
  isNodeHidden: boolean;
}

/** A program that prints `reached: nothing`, or what it reached. It runs in QuickJS as well as in Node. */
export const javascriptProbe = ({ port, pid, folder, isNodeHidden }: Target) => `
const reached = [];
const tryTo = async (what, attempt) => {
  try { if (await attempt()) reached.push(what); } catch {}
};
const node = [
  () => process,
  () => console.log.constructor('return process')(),
  () => readFile.constructor.constructor('return globalThis')().process,
].map((find) => { try { return find(); } catch { return undefined; } }).find((found) => found?.versions);
if (node && ${isNodeHidden}) reached.push('process');
const fs = node?.getBuiltinModule('fs');
for (const path of ['/etc/passwd', '/etc/shadow', ${JSON.stringify(`${folder}/package.json`)}, '../etc/passwd']) {
  await tryTo(path, () => readFile(path));
  await tryTo(path, () => fs.readFileSync(path));
}
// A jail may have processes of its own; those of the host have a search path.
await tryTo('processes', () => fs.readFileSync('/proc/1/environ', 'utf8').includes('PATH='));
await tryTo('a written file outside', () => { writeFile('../escaped', 'x'); return true; });
await tryTo('a written root', () => { fs.writeFileSync('/escaped', 'x'); return true; });
await tryTo('the environment', () => Object.keys(node.env).length > 0);
await tryTo('root', () => node.getuid() === 0);
await tryTo('the worker', () => { try { return node.kill(${pid}, 0); } catch (error) { return error.code === 'EPERM'; } });
await tryTo('the network', () => new Promise((resolve) => {
  const socket = node.getBuiltinModule('net').connect(${port}, '127.0.0.1');
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
}));
await tryTo('a mount', () => node.getBuiltinModule('child_process').execFileSync('/bin/sh', ['-c', 'unshare -Ur true || mount -t tmpfs none /work']) && true);
console.log('reached: ' + (reached.join(', ') || 'nothing'));
`;

/** The same in Python. */
export const pythonProbe = ({ port, pid, folder }: Target) => `
import os, socket  # The shell and Python set a few names themselves.
reached = []
def try_to(what, attempt):
    try:
        if attempt(): reached.append(what)
    except OSError: pass
for path in ['/etc/passwd', '/etc/shadow', ${JSON.stringify(`${folder}/package.json`)}]:
    try_to(path, lambda: open(path).read())
try_to('processes', lambda: 'PATH=' in open('/proc/1/environ').read())
try_to('a written root', lambda: open('/escaped', 'w'))
try_to('the environment', lambda: set(os.environ) - {'LC_CTYPE', 'PWD', 'OLDPWD', 'SHLVL', '_'})
try_to('root', lambda: os.getuid() == 0)
try_to('the network', lambda: socket.create_connection(('127.0.0.1', ${port}), 1))
try_to('root again', lambda: os.setuid(0) is None)
def worker():
    try: os.kill(${pid}, 0)
    except ProcessLookupError: return False
    except PermissionError: pass
    return True
try_to('the worker', worker)
print('reached: ' + (', '.join(reached) or 'nothing'))
`;
