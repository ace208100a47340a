const NOBODY_ID = 65_534;

/** Gives up root for good, after all files are loaded: they may lie where only root reads. */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups!([]);
  process.setgid!(NOBODY_ID);
  process.setuid!(NOBODY_ID);
}
