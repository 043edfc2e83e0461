const MAX_LENGTH = 200;

/** The claim of that name; else the value at that path, such as `realm_access.roles`. Names that are URLs hold dots too. */
export const claimAt = (claims: object, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return Reflect.get(claims, name);
  let value: unknown = claims;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
};

/** A text, or the texts of a list. Other values count as none. */
export const textsIn = (value: unknown): string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string' && text !== '' && text.length <= MAX_LENGTH);
