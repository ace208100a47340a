const NOBODY_ID = 65_534;

/** Drops root permanently, after all files are loaded: they may be readable by root alone. */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups!([]);
  process.setgid!(NOBODY_ID);
  process.setuid!(NOBODY_ID);
}
