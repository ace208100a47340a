/** A place in a file of an agent's folder, counted from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** What is wrong in a folder, or may be better. */
export interface Finding {
  severity: 'blocking' | 'advisory';
  /** The service's name for it; null for what was found here. */
  code: string | null;
  message: string;
  /** The place in the configuration, with dots; null for what is in no configuration. */
  path: string | null;
  place: Place;
}

/** A folder that is no agent yet. */
export class FolderFault extends Error {
  readonly findings: Finding[];

  constructor(...faults: { place: Place; message: string }[]) {
    super(faults.map(({ message }) => message).join(' '));
    this.findings = faults.map((fault) => ({ severity: 'blocking', code: null, path: null, ...fault }));
  }
}

/** `agent.json:12:5` */
export const textOfPlace = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** The beginning of a file. */
export const startOf = (file: string): Place => ({ file, line: 1, column: 1 });
