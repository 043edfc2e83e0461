import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEventStoreDbEventLog } from '#event-log';
import { freePort } from './free-port.js';
import { compiled } from './mains.js';

export interface EventStoreDbServer {
  readonly url: string;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const START_TIMEOUT = 120_000;
const STOP_TIMEOUT = 20_000;
const POLL_INTERVAL = 50;
const LOG_LINES = 20;

/** Whether `EVENTSTOREDB_COMMAND` starts real servers instead of this project's double. */
export const hasServerCommand = (): boolean => process.env.EVENTSTOREDB_COMMAND !== undefined;

/**
 * An EventStoreDB with an empty log, in a separate process: what `EVENTSTOREDB_COMMAND` starts, or the double. The
 * command is a program and its arguments, separated by spaces, with `{port}` and `{folder}` where the server needs them;
 * no shell reads it. It must listen without TLS, and keep its files in the folder, which the caller removes.
 */
export const startEventStoreDbServer = async (folder: string): Promise<EventStoreDbServer> => {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const [program = '', ...words] = command(folder, port);
  const output = join(folder, 'server.log');
  const file = openSync(output, 'w');
  const server = spawn(program, words, { stdio: ['ignore', file, file] });
  closeSync(file);
  const end = () => server.kill('SIGTERM');
  process.once('exit', end);
  server.once('exit', () => process.off('exit', end));
  const ended = new Promise<string>((done) => {
    server.once('error', ({ message }) => done(message));
    server.once('exit', (code, signal) => done(`it ended with ${code ?? signal}`));
  });
  const url = `esdb://${HOST}:${port}?tls=false`;
  const reason = await whyNotServing(url, ended);
  if (reason === undefined) return { url, stop: () => stop(server) };
  await stop(server);
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
  throw new Error([`EventStoreDB did not start (${program}): ${reason}`, ...lines].join('\n'));
};

/** Waits until the server answers; returns what keeps it from that. */
const whyNotServing = async (url: string, ended: Promise<string>): Promise<string | undefined> => {
  const log = await openEventStoreDbEventLog({ url, retryFor: 0 });
  const deadline = performance.now() + START_TIMEOUT;
  try {
    for (;;) {
      const answer = log.head().then(
        () => undefined,
        (error: Error) => error.message,
      );
      const problem = await Promise.race([answer, ended]);
      if (problem === undefined) return undefined;
      if (performance.now() > deadline) return problem;
      const reason = await Promise.race([ended, delay(POLL_INTERVAL)]);
      if (reason !== undefined) return reason;
    }
  } finally {
    await log.close();
  }
};

const command = (folder: string, port: number): readonly string[] => {
  const given = process.env.EVENTSTOREDB_COMMAND;
  if (given === undefined) {
    const double = compiled('test/eventstoredb-double/main.js');
    return [process.execPath, double, '--port', `${port}`, '--file', join(folder, 'events.db')];
  }
  return given
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('{port}', `${port}`).replaceAll('{folder}', folder));
};

const stop = async (server: ChildProcess): Promise<void> => {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  // SIGKILL would end a container's client and leave the container.
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT);
  await gone;
  clearTimeout(timer);
};
