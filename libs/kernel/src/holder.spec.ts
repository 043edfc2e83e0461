import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, it } from '@jest/globals';
import { holderName, isDeadHere } from './holder.js';

const [here] = holderName().split('/');

it('names this process, which is alive, and tells apart the holders in it', () => {
  const [one, other] = [holderName('one'), holderName('other')];
  expect(one).not.toBe(other);
  expect(holderName('one')).toBe(one);
  expect(one.startsWith(`${here}/${process.pid}/`)).toBe(true);
  expect(here?.startsWith(`${hostname()}@`)).toBe(true);
  expect([one, other].map(isDeadHere)).toEqual([false, false]);
});

it('takes a process of this host that has ended for dead', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  const holder = [here, child.pid, '1', 'x'].join('/');
  await once(child, 'exit');
  expect(isDeadHere(holder)).toBe(true);
});

it('takes a holder for dead whose number another process of this host has now', () => {
  const [host, pid, start] = holderName().split('/');
  expect(start).toMatch(/^\d+$/);
  expect(isDeadHere([host, pid, Number(start) - 1, ''].join('/'))).toBe(true);
});

it('does not judge holders of other hosts, nor names that say nothing', () => {
  expect(isDeadHere(`elsewhere/${process.pid}/1/`)).toBe(false);
  expect(isDeadHere('')).toBe(false);
  expect(isDeadHere(here ?? '')).toBe(false);
  expect(isDeadHere(`${here}/not a number/1/`)).toBe(false);
  expect(isDeadHere(`${here}/${process.pid}//`)).toBe(false);
});

it('does not judge holders of another container or machine that has the same name', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const [, boot, namespace] = /@(.+):(\d+)$/.exec(here ?? '') ?? [];
  const elsewhere = [
    `${hostname()}@${boot}:${Number(namespace) + 1}`,
    `${hostname()}@00000000-0000-4000-8000-000000000000:${namespace}`,
    hostname(),
  ];
  for (const place of elsewhere) expect(isDeadHere([place, child.pid, '1', 'x'].join('/'))).toBe(false);
});
