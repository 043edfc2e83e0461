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

/** Containers and cloned machines may share a host name, and nearly all have a process 1. Undefined without /proc. */
const PID_NAMESPACE = attempt(() => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}:${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
});

const HOST_ID = PID_NAMESPACE === undefined ? hostname() : `${hostname()}@${PID_NAMESPACE}`;

/** When the process started, in ticks since boot; undefined if there is no such process. */
const startTimeOf = (pid: number): string | undefined =>
  attempt(() => {
    // The command name may contain spaces. It ends at the last parenthesis, and the start time is the 20th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  });

/** The name of this process in leases: host, process id, start time. `part` distinguishes holders in one process. */
export const holderName = (part = ''): string => [HOST_ID, process.pid, startTimeOf(process.pid) ?? '', part].join('/');

/** True if the holder was a process of this host and has ended. About processes of other hosts nothing is known. */
export const isDeadLocalProcess = (holder: string): boolean => {
  const [host, pid = '', start] = holder.split('/');
  if (host !== HOST_ID || PID_NAMESPACE === undefined) return false;
  const now = startTimeOf(Number(pid));
  if (now !== undefined) return start !== '' && now !== start;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return isNativeError(error) && 'code' in error && error.code === 'ESRCH';
  }
};
