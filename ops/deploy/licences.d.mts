/** THIRD_PARTY.md with the list of packages as the lock files have it. */
export function listedPackages(): string;
