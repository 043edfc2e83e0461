import { afterEach, expect, it } from '@jest/globals';
import { StandardError } from './logger.js';

let taken = '';
/** How many bytes each write takes; or what it throws. */
let reader: number | string = Number.POSITIVE_INFINITY;

const made: StandardError[] = [];
const aDestination = (): StandardError => {
  const destination = new StandardError((bytes) => {
    if (typeof reader === 'string') throw Object.assign(new Error(reader), { code: reader });
    const part = bytes.subarray(0, reader);
    taken += part.toString();
    return part.length;
  });
  made.push(destination);
  return destination;
};

afterEach(() => {
  reader = Number.POSITIVE_INFINITY;
  for (const destination of made.splice(0)) destination.flush();
  taken = '';
});

it('writes lines in their order, also to a reader that takes a few bytes at a time', () => {
  const destination = aDestination();
  reader = 3;
  for (const line of ['first\n', 'sécond\n']) destination.write(line);
  destination.flush();
  expect(taken).toBe('first\nsécond\n');
});

it('keeps lines for a slow reader, and continues within a line', () => {
  const destination = aDestination();
  reader = 'EAGAIN';
  destination.write('first\n');
  destination.flush();
  destination.write('second\n');
  reader = 4;
  destination.flush();
  expect(taken).toBe('first\nsecond\n');
  expect(destination.dropped).toBe(0);
});

it('drops and counts lines above 1 MiB that nobody reads, and holds no more (D94)', () => {
  const destination = aDestination();
  reader = 'EAGAIN';
  const line = `${'x'.repeat(999)}\n`;
  for (let n = 0; n < 5_000; n++) destination.write(line);
  reader = Number.POSITIVE_INFINITY;
  destination.flush();
  const kept = taken.length / line.length;
  expect(taken.length).toBeLessThan(1_048_576 + 2 * 32_768);
  expect(Math.round(kept) + destination.dropped).toBe(5_000);
  taken = '';
  destination.write('later\n');
  destination.flush();
  expect(taken).toBe('later\n');
});

it.each(['ENOSPC', 'EPIPE', 'EIO'])('drops and counts what fails with %s, and writes later lines (D94)', (code) => {
  const destination = aDestination();
  reader = code;
  destination.write('first\n');
  destination.write('second\n');
  destination.flush();
  expect(destination.dropped).toBe(2);
  reader = Number.POSITIVE_INFINITY;
  destination.write('third\n');
  destination.flush();
  expect(taken).toBe('third\n');
});
