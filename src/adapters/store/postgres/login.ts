import { readAddress } from './address.ts';

/** What nobody but the store may see of its URL: the password as written and as meant; empty where there is none. */
export function getStoreSecrets(url: string | null): readonly string[] {
  const { password } = readLogin(url);
  if (url === null || password === undefined) return [];
  const written = /\/\/[^/?#]*?:([^/?#]*)@/.exec(url)?.[1] ?? password;
  return [...new Set([url, password, written])];
}

/**
 * Whether a variable would hand the login of the store to whoever is given it: the address itself under any name, or
 * what the client library reads where the address has no password.
 */
function isStoreLogin(name: string, value: string, url: string | null): boolean {
  if (name === 'HARNESS_STORE_URL') return true;
  if (url === null) return false;
  if (getStoreSecrets(url).some(secret => value.includes(secret))) return true;
  return readLogin(url).password === undefined && (name === 'PGPASSWORD' || name === 'PGPASSFILE');
}

/** Names without those: whoever has the login of the store can write its records, so it is the harness's alone. */
export function withoutStoreLogins(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  url: string | null,
): readonly string[] {
  return names.filter(name => !isStoreLogin(name, env[name] ?? '', url));
}

/** A URL that is wrong is told of by whoever opens the store. */
function readLogin(url: string | null): { readonly password: string | undefined } {
  try {
    return url === null ? { password: undefined } : readAddress(url);
  } catch {
    return { password: undefined };
  }
}
