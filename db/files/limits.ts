const MIB = 1024 * 1024;

/** The largest file that a session, and so a run, takes. */
export const FILE_BYTES_MAX = 25 * MIB;
/** The largest list of calls for a batch, after OpenAI's limit. */
export const BATCH_FILE_BYTES_MAX = 200 * MIB;
export const ICON_BYTES_MAX = MIB;
/** All files of one session together. */
export const SESSION_BYTES_MAX = 512 * MIB;
/** All files of one workspace together. Uploads that run at the same moment may pass it by their own size. */
export const WORKSPACE_BYTES_MAX = 20 * 1024 * MIB;
/** Files and directories of one session. */
export const SESSION_ENTRIES_MAX = 5_000;
/** Directories within each other. */
export const DIRECTORY_DEPTH_MAX = 16;
