/** Of what was thrown, which may be anything. */
const memberOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** Node's code, such as `ENOENT` or `ERR_SQLITE_ERROR`. */
export const codeOf = (error: unknown): unknown => memberOf(error, 'code');

/** The result code of SQLite. */
export const errcodeOf = (error: unknown): number => Number(memberOf(error, 'errcode') ?? 0);

export const messageOf = (error: unknown): string => String(memberOf(error, 'message') ?? error);
