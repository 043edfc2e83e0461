import { DomainError } from '#kernel';

/** D99: bytes of the request target, and of all header fields together. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Bytes of request line and header fields that Node's parser reads, so that what is within both limits is read. */
export const MAX_PARSED_BYTES = 3 * MAX_HEADER_BYTES;

/** The colon, the blank after it and the line break. */
const BYTES_BETWEEN = 4;

/** The refusal of a request whose target or header fields are too long, as Node has read them: one unit is one byte. */
export const refusalOfLength = (target: string, rawHeaders: readonly string[]): DomainError | undefined => {
  if (target.length > MAX_HEADER_BYTES) return new DomainError('uri_too_long');
  let bytes = (rawHeaders.length / 2) * BYTES_BETWEEN;
  for (const text of rawHeaders) bytes += text.length;
  return bytes > MAX_HEADER_BYTES ? new DomainError('request_header_fields_too_large') : undefined;
};

/**
 * The same for a request that was too long for Node's parser. `isBeginning`: these bytes are the first of their
 * connection, so their first line is the request line. Otherwise a long target and a long field look the same.
 */
export const refusalOfOverflow = (bytes: Buffer, isBeginning: boolean): DomainError => {
  const lineEnd = bytes.indexOf('\n');
  const isLongLine = lineEnd === -1 || lineEnd > MAX_HEADER_BYTES;
  return new DomainError(isBeginning && isLongLine ? 'uri_too_long' : 'request_header_fields_too_large');
};
