/**
 * Tells the process that has started this one, if it listens: `npm start` waits for it. A line of the log is no such notice, as LOG_LEVEL may
 * leave it out.
 */
export function tellStarter(event: 'listening' | 'working'): void {
  if (process.connected) process.send!({ event });
}
