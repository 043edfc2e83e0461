import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { deliveries } from './deliveries.js';

const { RECEIVER_PYTHON: python, RECEIVER_GO: go } = process.env;
const PROGRAM = fileURLToPath(new URL('languages/verify.py', import.meta.url));

/** What the program says of each delivery, which it gets as one JSON object a line. */
const verdictsOf = (command: string, args: readonly string[]): unknown[] => {
  const input = deliveries().map(([, , delivery]) => JSON.stringify(delivery));
  const { status, stdout, stderr } = spawnSync(command, args, { input: input.join('\n'), encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

const genuine = deliveries().map(([, isGenuine]) => isGenuine);

if (python === undefined) {
  test.skip('D61, D102: libraries of PyPI verify deliveries, as RECEIVER_PYTHON is not set', () => undefined);
} else {
  test('D61, D102: standardwebhooks and stripe of PyPI verify deliveries', () => {
    expect(verdictsOf(python, [PROGRAM])).toEqual(genuine.map((is) => ({ standardwebhooks: is, stripe: is })));
  });
}

if (go === undefined) {
  test.skip('D102: svix for Go verifies deliveries, as RECEIVER_GO is not set', () => undefined);
} else {
  test('D102: svix for Go verifies deliveries', () => {
    expect(verdictsOf(go, [])).toEqual(genuine.map((is) => ({ svix: is })));
  });
}
