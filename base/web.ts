/** The address at which clients on this machine reach a server that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const name = everywhere[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${name}:${port}`;
}

/** The same for a browser on this machine: passkeys are bound to a host name, and an address is none. */
export function localPageUrl(host: string, port: number): string {
  const isLocal = /^(127\.[\d.]+|0\.0\.0\.0|::1?|localhost)$/.test(host);
  return isLocal ? `http://localhost:${port}` : localUrl(host, port);
}

/** Text escaped for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The names of this machine. */
export const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a host name is local. */
export const isLocalName = (hostname: string): boolean => LOCAL_NAMES.includes(hostname) || hostname.startsWith('127.');

/** Whether a name (no address) is never one of the public internet: of this machine or a network of its own. It may end with a dot. */
export function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || /\.(?:localhost|local|internal)$/.test(name);
}
