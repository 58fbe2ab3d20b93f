/** A host that may be opened although its address is private, and the one port of it. */
export interface AllowedHost {
  readonly host: string;
  readonly port: number;
}

/** An address of a page that may be opened, or why it may not. Asked before a browser sees it: one opens files as well. */
export function readSiteUrl(text: string): URL | string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'it is no URL';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `${url.protocol} is not opened, only http: and https:`;
  if (url.username !== '' || url.password !== '') return 'a name or password in a URL is not sent';
  return url;
}

/** What `--allow-private` names: a host, and a port where it is not that of the URL. */
export function readAllowedHost(text: string, url: URL): AllowedHost | null {
  const given =
    /^[^/?#@\s]+$/.test(text) && URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : null;
  if (given === null) return null;
  const hasPort = /:\d+$/.test(text.replace(/^\[.*\]/, ''));
  return { host: getHost(given), port: hasPort ? getPort(given) : getPort(url) };
}

/** As a socket wants it: no brackets around IPv6, no dot at the end. */
export function getHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

export function getPort({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
