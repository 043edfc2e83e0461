import fc from 'fast-check';
import { derivedId, INVISIBLE, isBlank, textProblem } from '#kernel';

/** All texts fit every field that takes one. */
const MAX_LENGTH = 100;

/** Texts that can be mistaken for escapes, syntax or the service's own texts. */
const PIECES = [
  ...['\\', '\\\\', '\\u001a', '\\u0000', '\\n', '\\x1a', '%1A', '&#26;', '\u241a', 'u001a'],
  ...['[encrypted]', '[erased]', '[hidden 1]', '\\u001a[encrypted]', '\\\\u001a[erased]', '\\u001A[encrypted]'],
  ...['"', '""', '","', '"}', '{', '}', '[', ']', 'null', '{"personal":{', '"bytes":"', '"ciphertext":null'],
  ...['=', '+', '-', '@', '＝', "'", ',', ';', '=HYPERLINK("x")'],
  ...[derivedId('creator', 'one'), `creator-${derivedId('creator', 'one')}`, 'crt_', 'cas_', 'svc:', 'evt_', 'req_'],
  ...['case.opened.v1', '$set', '__proto__', 'constructor', '$1', '${', '%s', '<script>', '../', '#', '?', '/'],
  ...[
    ' ',
    '\u00a0',
    '\u2028',
    '\u202e',
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u3164',
    '\ufe0f',
    '\u0301',
    'é',
    '👩🏽‍🎤',
    '\u{10ffff}',
  ],
  ...['https://leaks.example/', 'ftp://leaks.example./', 'a', 'Mia'],
];

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }) },
);

const isAccepted = (text: string): boolean => !isBlank(text) && textProblem(text, MAX_LENGTH) === undefined;

/** Any text that is accepted wherever a text is (D7, D65, D96). */
export const hostileText = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
  .filter(isAccepted);

const INVISIBLE_END = new RegExp(`^${INVISIBLE}+|${INVISIBLE}+$`, 'gu');

/** One that nothing normalizes: NFC, and visible at both ends. */
export const normalHostileText = hostileText
  .map((text) => text.normalize('NFC').replaceAll(INVISIBLE_END, ''))
  .filter(isAccepted);
