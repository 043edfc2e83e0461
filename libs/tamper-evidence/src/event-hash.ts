import { hash } from 'node:crypto';
import type { Revision } from '#kernel';

/** SHA-256 in base64url: 43 characters. */
export type EventHash = string;

/** The hash before the first event of a stream: 32 zero bytes. */
export const NO_HASH: EventHash = 'A'.repeat(43);

/** An event as text: the output of `JSON.stringify` for its data, and for its metadata without the hash. */
export interface EventText {
  readonly id: string;
  readonly type: string;
  readonly json: { readonly data: string; readonly metadata: string };
}

/**
 * The SHA-256 of the UTF-8 of seven lines: the hash before it in its stream, stream, revision, id, type, data, metadata.
 * JSON has no line breaks, and names with line breaks are refused, so no two events have the same lines.
 */
export const hashEvent = (
  { id, type, json }: EventText,
  stream: string,
  revision: Revision,
  previous: EventHash,
): EventHash => hash('sha256', linesOf({ id, type, json }, stream, revision, previous), 'base64url');

export const linesOf = (
  { id, type, json }: EventText,
  stream: string,
  revision: Revision,
  previous: EventHash,
): string => `${previous}\n${stream}\n${revision}\n${id}\n${type}\n${json.data}\n${json.metadata}`;

export const hasLineBreak = (name: string): boolean => name.includes('\n');

export const withHash = (metadata: string, eventHash: EventHash): string =>
  `${metadata.slice(0, -1)},"hash":"${eventHash}"}`;

const ENDING = /,"hash":"([A-Za-z0-9_-]{43})"\}$/;
const ENDING_LENGTH = ',"hash":""}'.length + NO_HASH.length;

/** The hash at the end of a metadata's text, and the text without it; undefined if there is none. */
export const splitHash = (stored: string): { readonly metadata: string; readonly hash: EventHash } | undefined => {
  const found = ENDING.exec(stored.slice(-ENDING_LENGTH))?.[1];
  return found === undefined ? undefined : { metadata: `${stored.slice(0, -ENDING_LENGTH)}}`, hash: found };
};
