import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isNativeError } from 'node:util/types';

/** When the kernel started the process, in ticks since boot; undefined where there is no such process or no /proc. */
const startOf = (pid: number): string | undefined => {
  try {
    // The command name may hold spaces, but ends with the last parenthesis; the start time is the 20th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
};

/** Names this process for leases: host, process and its start. `part` tells apart several holders in one process. */
export const holderName = (part = ''): string => [hostname(), process.pid, startOf(process.pid) ?? '', part].join('/');

/** Whether the holder was a process of this host that is no more. */
export const isDeadHere = (holder: string): boolean => {
  const [host, pid = '', start] = holder.split('/');
  if (host !== hostname()) return false;
  const now = startOf(Number(pid));
  if (now !== undefined) return start !== '' && now !== start;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return isNativeError(error) && 'code' in error && error.code === 'ESRCH';
  }
};
