import { join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..', '..', '..');

interface Service {
  command?: string[];
  environment?: Record<string, string | number | null>;
  volumes?: string[];
  secrets?: string[];
}

interface ComposeFile {
  services: Record<string, Service>;
  secrets?: Record<string, { file: string }>;
}

/** Arguments of `podman run` for a service, as these compose files describe it together with the variables of `.env`. */
export function argumentsOf(name: string, files: string[], variables: Record<string, string>): string[] {
  const read = files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return parse(interpolated(text, variables), { merge: true }) as ComposeFile;
  });
  const places = read.flatMap(({ secrets }) => Object.entries(secrets ?? {}));
  const secretFiles = new Map(places.map(([secret, { file }]) => [secret, resolve(root, file)]));
  const services = read.flatMap(({ services: { [name]: service } }) => service ?? []);
  const environment = Object.assign({}, ...services.map((service) => service.environment)) as NonNullable<
    Service['environment']
  >;
  const mounts = services.flatMap(({ volumes }) => volumes ?? []).map(placed);
  const secrets = services.flatMap((service) => service.secrets ?? []);
  return [
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--init',
    ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${String(value ?? '')}`]),
    ...mounts.flatMap((mount) => ['--volume', mount]),
    ...secrets.flatMap((secret) => ['--volume', `${secretFiles.get(secret)!}:/run/secrets/${secret}:ro`]),
  ];
}

/** The last command of a service. */
export function commandOf(name: string, files: string[]): string[] {
  const services = files.map(
    (file) => (parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as ComposeFile).services[name],
  );
  return services.findLast((service) => service?.command)!.command!;
}

const placed = (volume: string): string => {
  const [from, to, ...rest] = volume.split(':');
  return from!.startsWith('.') ? [resolve(root, from!), to, ...rest].join(':') : volume;
};

/** Compose's `${NAME}`, `${NAME:-default}` and `${NAME:+other}`, from the inside out; `$$` is a dollar. */
function interpolated(text: string, variables: Record<string, string>): string {
  const INNERMOST = /\$\{([A-Z0-9_]+)(?::([-+])([^${}]*))?\}/g;
  let before: string;
  let after = text;
  do {
    before = after;
    after = before.replaceAll(INNERMOST, (_, name: string, sign: string | undefined, word = '') => {
      const value = variables[name] ?? '';
      return sign === '+' ? value && word : value || word;
    });
  } while (after !== before);
  return after.replaceAll('$$', '$');
}
