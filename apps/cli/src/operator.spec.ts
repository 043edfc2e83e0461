import { userInfo } from 'node:os';
import { expect, it } from '@jest/globals';
import { operatorActor, operatorContext } from './operator.js';

it('a command is recorded with the name of the user', () => {
  expect(operatorContext().actor).toBe(`operator:${userInfo().username}`);
});

it('D113: a user without a name is recorded by id, whether the lookup fails or finds an empty name', () => {
  const fails = () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)');
  };
  const byId = `operator:uid-${process.geteuid?.()}`;
  expect(operatorActor(fails)).toBe(byId);
  expect(operatorActor(() => ({ username: '' }))).toBe(byId);
});
