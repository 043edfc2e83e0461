/** The options of a connection string that the client knows, in lower case and without `_` and `-`, as it reads them. */
const KNOWN: ReadonlySet<string> = new Set([
  'usercertfile',
  'userkeyfile',
  'maxdiscoverattempts',
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'nodepreference',
  'tls',
  'tlsverifycert',
  'tlscafile',
  'throwonappendfailure',
  'keepaliveinterval',
  'keepalivetimeout',
]);

/**
 * What is wrong with the options of a URL, by their names. The client would print a warning with the URL and its password
 * for these, and go on without them (D95).
 */
export const optionProblem = (url: string): string | undefined => {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  for (const [name, value] of new URLSearchParams(query)) {
    const known = name.trim().toLowerCase().replace(/[_-]/g, '');
    if (!KNOWN.has(known)) return `the option ${printable(name)} is not known`;
    if (known === 'tlsverifycert' && value.trim() === 'false') {
      return 'tlsVerifyCert=false is not supported; name the authority in tlsCAFile';
    }
  }
  return undefined;
};

/** A name is short and of ASCII; anything longer may be a value that lost its `&`. */
const printable = (name: string): string => (/^[\w.-]{1,40}$/.test(name) ? name : 'in its query');
