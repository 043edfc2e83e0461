import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isNativeError } from 'node:util/types';

const attempt = <Result>(read: () => Result): Result | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/**
 * What gives a process number its meaning: a run of a kernel, and the namespace of process numbers in it. Containers and
 * cloned machines may share a host name, and nearly all have a process 1. Undefined where there is no /proc to tell.
 */
const numberedIn = attempt(() => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}:${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
});

const HERE = numberedIn === undefined ? hostname() : `${hostname()}@${numberedIn}`;

/** When the kernel started the process, in ticks since boot; undefined where there is no such process. */
const startOf = (pid: number): string | undefined =>
  attempt(() => {
    // The command name may hold spaces, but ends with the last parenthesis; the start time is the 20th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  });

/** Names this process for leases: host, process and its start. `part` tells apart several holders in one process. */
export const holderName = (part = ''): string => [HERE, process.pid, startOf(process.pid) ?? '', part].join('/');

/** Whether the holder was a process that this one would see if it still were. Of others nothing can be said. */
export const isDeadHere = (holder: string): boolean => {
  const [place, pid = '', start] = holder.split('/');
  if (place !== HERE || numberedIn === undefined) return false;
  const now = startOf(Number(pid));
  if (now !== undefined) return start !== '' && now !== start;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return isNativeError(error) && 'code' in error && error.code === 'ESRCH';
  }
};
