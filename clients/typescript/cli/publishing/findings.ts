import { APIError } from '../../src/index.ts';
import { FolderFault, textOfPlace, type Finding, type Place } from '../agentFolder/fault.ts';
import type { Path } from '../agentFolder/jsonFile.ts';
import type { AgentFolder } from '../agentFolder/readFolder.ts';
import { Failure } from '../failure.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';

/** A folder that was refused, with every reason and its place. */
export class Refused extends Failure {
  readonly findings: Finding[];

  constructor(findings: Finding[], options: { message?: string; exitCode?: number } = {}) {
    const { message = `${countOf(findings)} to correct.`, ...rest } = options;
    super(message, rest);
    this.findings = findings;
  }
}

const countOf = ({ length }: Finding[]): string => (length === 1 ? '1 thing' : `${length} things`);

/** Where the parts of a request come from, by the first step of their place in it: `configuration`, `cases` or `input`. */
export type Places = (path: Path) => Place | undefined;

/** Runs a request that sends parts of files. A refusal of the service becomes a `Refused` with the places in these files. */
export async function placing<Result>(places: Places, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FolderFault) throw new Refused(error.findings);
    const findings = error instanceof APIError ? findingsOf(error, places) : [];
    if (findings.length > 0) throw new Refused(findings);
    throw error;
  }
}

interface Issue {
  loc: string[];
  msg: string;
  type: string;
}

/** Conflicts that a name makes. */
const NAMES: Record<string, string> = {
  namespace_taken: 'namespace',
  too_many_namespaces: 'namespace',
  agent_exists: 'slug',
};

/** The issues of a refusal that are about something in these files; none if one of them is not. */
function findingsOf(error: APIError, places: Places): Finding[] {
  const name = NAMES[error.code ?? ''];
  const detail = (error.body as { detail?: unknown } | null)?.detail;
  const issues = name
    ? [{ loc: ['body', name], msg: error.message, type: error.code! }]
    : error.status === 422 && Array.isArray(detail)
      ? (detail as Issue[])
      : [];
  const found = issues.map(({ loc: [part, ...path], msg, type }): Finding | undefined => {
    const place = part === 'body' || part === 'configuration' ? places(path) : undefined;
    return place && { severity: 'blocking', code: codeOf(type, error), path: path.join('.'), message: msg, place };
  });
  return found.every((finding) => finding !== undefined) ? withoutRepetitions(found) : [];
}

/** A check of all cases is wrong in each of them. */
const withoutRepetitions = (findings: Finding[]): Finding[] => {
  const isSame = (one: Finding, other: Finding) =>
    one.message === other.message && textOfPlace(one.place) === textOfPlace(other.place);
  return findings.filter((one, at) => findings.findIndex((other) => isSame(one, other)) === at);
};

// An issue of the form of a body has no name of its own.
const codeOf = (type: string, error: APIError): string | null =>
  error.code === 'incomplete_configuration' ? type : error.code;

/** What a review found, with its places in the folder. */
export function feedbackFindings(
  feedback: { severity: Finding['severity']; code: string; path: string; message: string }[],
  { placeOf }: Pick<AgentFolder, 'placeOf'>,
): Finding[] {
  return feedback.map(({ severity, code, path: pointer, message }) => {
    const path = pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return { severity, code, message, path: path.join('.') || null, place: placeOf(path) };
  });
}

/** A finding in one line, as compilers print them: editors and CI systems find the place. */
export function textOfFinding({ severity, code, path, message, place }: Finding): string {
  const kind = severity === 'blocking' ? err.red('error') : err.yellow('note');
  // A message that is no sentence of its own goes on after the path.
  const about = path && !message.startsWith(path) ? `${path}${/^\p{Lu}/u.test(message) ? ':' : ''} ` : '';
  return `${textOfPlace(place)}: ${kind}: ${about}${message}${code ? err.dim(` (${code})`) : ''}`;
}

/** The same for programs. */
export const presentFinding = ({ place, ...finding }: Finding): Omit<Finding, 'place'> & Place => ({
  ...finding,
  ...place,
});

/** Runs the work of a command. What is wrong in files is said with its places. */
export async function sayingFindings(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refused) for (const finding of error.findings) say(textOfFinding(finding));
    throw error;
  }
}
