import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, it } from '@jest/globals';
import { holderName, isDeadLocalProcess } from './leases.js';

const [here] = holderName().split('/');

it('names this process, which is alive, and distinguishes the holders in it', () => {
  const [one, other] = [holderName('one'), holderName('other')];
  expect(one).not.toBe(other);
  expect(holderName('one')).toBe(one);
  expect(one.startsWith(`${here}/${process.pid}/`)).toBe(true);
  expect(here?.startsWith(`${hostname()}@`)).toBe(true);
  expect([one, other].map(isDeadLocalProcess)).toEqual([false, false]);
});

it('a process of this host that has ended is dead', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  const holder = [here, child.pid, '1', 'x'].join('/');
  await once(child, 'exit');
  expect(isDeadLocalProcess(holder)).toBe(true);
});

it('a holder is dead if another process of this host now has its process id', () => {
  const [host, pid, start] = holderName().split('/');
  expect(start).toMatch(/^\d+$/);
  expect(isDeadLocalProcess([host, pid, Number(start) - 1, ''].join('/'))).toBe(true);
});

it('holders of other hosts and unknown names are not dead', () => {
  expect(isDeadLocalProcess(`elsewhere/${process.pid}/1/`)).toBe(false);
  expect(isDeadLocalProcess('')).toBe(false);
  expect(isDeadLocalProcess(here ?? '')).toBe(false);
  expect(isDeadLocalProcess(`${here}/not a number/1/`)).toBe(false);
  expect(isDeadLocalProcess(`${here}/${process.pid}//`)).toBe(false);
});

it('holders of another container or machine with the same name are not dead', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const [, boot, namespace] = /@(.+):(\d+)$/.exec(here ?? '') ?? [];
  const elsewhere = [
    `${hostname()}@${boot}:${Number(namespace) + 1}`,
    `${hostname()}@00000000-0000-4000-8000-000000000000:${namespace}`,
    hostname(),
  ];
  for (const other of elsewhere) expect(isDeadLocalProcess([other, child.pid, '1', 'x'].join('/'))).toBe(false);
});
