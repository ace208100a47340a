/**
 * Starts a Python program from its text, which arrives over file descriptor 3: no file of ours is among the program's, and its tracebacks
 * show its own lines only.
 */
export const PYTHON_START = `
import linecache, sys, traceback
with open(3, encoding='utf-8') as source:
    code = source.read()
name = 'program.py'
linecache.cache[name] = (len(code), None, code.splitlines(True), name)
sys.argv = [name]
sys.path.insert(0, '')
del source
try:
    exec(compile(code, name, 'exec'), {'__name__': '__main__', '__file__': name})
except Exception as error:
    traceback.print_exception(type(error), error, error.__traceback__.tb_next)
    sys.exit(1)
`;
