export type Search = Readonly<Record<string, string>>;

/** Parameters are plain texts: `?answer=500` is what a person types, and what a link in a mail says. */
export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));

export const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
};

/** The parameters of a page that may be in its address, and no others. */
export const onlyParameters =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): { readonly [Key in Name]?: string | undefined } => {
    const given = names.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    });
    return Object.fromEntries(given);
  };
