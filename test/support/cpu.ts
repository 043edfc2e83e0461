import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Seconds of user and system time that the process has used so far. */
const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command name may hold spaces, but ends with the last parenthesis; utime and stime are the 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

/** The share of one core that the process uses during the next milliseconds. */
export const cpuShare = async (pid: number, during: number): Promise<number> => {
  const [began, before] = [performance.now(), cpuSeconds(pid)];
  await delay(during);
  return ((cpuSeconds(pid) - before) * 1_000) / (performance.now() - began);
};
