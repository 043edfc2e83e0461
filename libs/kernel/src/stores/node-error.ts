const memberOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

export const codeOf = (error: unknown): unknown => memberOf(error, 'code');

export const errcodeOf = (error: unknown): number => Number(memberOf(error, 'errcode') ?? 0);

export const messageOf = (error: unknown): string => String(memberOf(error, 'message') ?? error);
