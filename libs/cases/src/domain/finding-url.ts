/** Empty if the native record has no web URL (D50). A trailing dot does not change the host. */
export const domainOf = (url: string): string => {
  if (!URL.canParse(url)) return '';
  const { protocol, hostname } = new URL(url);
  return WEB.has(protocol) ? hostname.replace(FINAL_DOTS, '') : '';
};

/** Starts only at the first dot: a search from each dot of a long row would take quadratic time. */
const FINAL_DOTS = /(?<!\.)\.+$/;

const WEB: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:']);

const MAX_URL_LENGTH = 200;

/** The form in which URLs are compared from their beginning. */
export const comparedUrl = (url: string): string =>
  url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .slice(0, MAX_URL_LENGTH);
