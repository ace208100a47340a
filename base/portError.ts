/** The error of a server that could not listen; for a port in use, a sentence that names its variable. */
export function portError(error: Error, variable: string, { host, port }: { host: string; port: number }): Error {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error;
  return new Error(`${variable}: port ${port} of ${host} is taken by another program: choose another port.`, {
    cause: error,
  });
}
