import { expect } from '@jest/globals';
import type { Finished } from '../../support/tool.js';

/** Returns the error of a failed run: one JSON value on standard error, nothing on standard output, status 1. */
export const errorOf = ({ status, stdout, stderr }: Finished): { code: string; message: string } => {
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  const { error, ...rest } = JSON.parse(stderr) as { error: { code: string; message: string } };
  expect(rest).toEqual({});
  expect(Object.keys(error).toSorted()).toEqual(['code', 'message']);
  expect(error.message).not.toBe('');
  return error;
};
