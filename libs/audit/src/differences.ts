/** A member that differs, by its path such as `protection.status`; undefined on a side that does not have it. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export const differences = (before: unknown, after: unknown): readonly Difference[] =>
  between(asJson(before), asJson(after), '');

const asJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

const between = (before: unknown, after: unknown, path: string): Difference[] => {
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => between(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  return before === after ? [] : [{ path, before, after }];
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
