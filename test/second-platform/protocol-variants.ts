import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** Written into members that the contract does not name. No agency may see it. */
export const CANARY = 'for-no-agency-to-see';

/** The ways to write one and the same answer. Each is legal, and they take turns. */
type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

const TYPES = ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'];
const SLOW_MS = 15;

export async function write(response: ServerResponse, answer: Answer, nth: number): Promise<void> {
  if (nth % 11 === 3) response.writeProcessing();
  if (nth % 13 === 5) await pause(SLOW_MS);
  if (nth % 5 === 2) response.setHeader('CONNECTION', 'close');
  response.setHeader('x-served-by', CANARY);
  response.statusCode = answer.status;
  if (answer.body === undefined) {
    response.end();
    return;
  }
  const text = Buffer.from(worded(dressed(answer.body as Json, nth), nth));
  response.setHeader(nth % 2 ? 'CONTENT-TYPE' : 'content-Type', TYPES[nth % TYPES.length] ?? 'application/json');
  if (nth % 2) await writePieces(response, text, nth);
  else response.setHeader('CONTENT-length', text.length).end(text);
}

/** Chunks that break inside words and inside characters, now and then with a rest between them. */
async function writePieces(response: ServerResponse, text: Buffer, nth: number): Promise<void> {
  const size = 3 + ((nth * 7) % 61);
  for (let at = 0; at < text.length; at += size) response.write(text.subarray(at, at + size));
  if (nth % 13 === 6) await pause(SLOW_MS);
  response.end();
}

function worded(value: Json, nth: number): string {
  if (nth % 4 === 1) return `\r\n\t${JSON.stringify(value, null, 3)}\n`;
  if (nth % 4 === 2) return JSON.stringify(value).replace(/[^\x20-\x7e]/g, escaped);
  return JSON.stringify(value);
}

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Another order of members, and members that nobody asked for, in every object. */
function dressed(value: Json, nth: number): Json {
  if (Array.isArray(value)) return value.map((entry) => dressed(entry, nth));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [name, dressed(member, nth)]);
  const ordered = nth % 2 ? members.reverse() : members.sort(([one], [other]) => (one < other ? 1 : -1));
  return Object.fromEntries([['_links', [CANARY, nth]], ...ordered, ['constructor', CANARY]]);
}
