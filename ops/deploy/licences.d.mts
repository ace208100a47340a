/** THIRD_PARTY.md with the list of packages from the lock files. */
export function listedPackages(): string;
