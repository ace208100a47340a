export type StorageRefusal =
  | 'file_not_found'
  | 'session_not_found'
  | 'entry_not_found'
  | 'not_a_directory'
  | 'directory_cycle'
  | 'directory_changed'
  | 'invalid_name'
  | 'name_conflict'
  | 'file_too_large'
  | 'storage_limit_exceeded'
  | 'session_busy';

/** What files or a session do not take, in a sentence for whoever asked. Nothing was changed. */
export class StorageRefused extends Error {
  readonly code: StorageRefusal;
  /** With `directory_changed`: where the session's directories are now. */
  readonly generation: number | undefined;

  constructor(code: StorageRefusal, message: string, generation?: number) {
    super(message);
    this.name = 'StorageRefused';
    this.code = code;
    this.generation = generation;
  }
}

export const fileNotFound = (id: string) => new StorageRefused('file_not_found', `No file with the id '${id}'.`);

export const sessionNotFound = (id: string) =>
  new StorageRefused('session_not_found', `No session with the id '${id}'.`);

export const entryNotFound = (id: string) =>
  new StorageRefused('entry_not_found', `No file or directory with the id '${id}' in this session.`);

export const fileTooLarge = (limitBytes: number) =>
  new StorageRefused('file_too_large', `The file is larger than ${limitBytes} bytes.`);

export const nameConflict = (name: string) =>
  new StorageRefused('name_conflict', `There is already something named '${name}' in this directory.`);
