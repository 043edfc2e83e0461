import { createInterface } from 'node:readline';
import { type ExpectedRevision, newEventId, type StreamName, WrongExpectedRevision } from '#kernel';
import { openSqliteEventLog } from '../open.js';

/**
 * A process with the log open. It takes one command a line and answers in lines of JSON:
 * `own <stream> <appends> <events>` appends to a separate stream, one acknowledged line per append;
 * `shared <stream> <appends>` appends with the expected revision, again where another was faster;
 * `follow` prints what it sees of the log, from its beginning.
 */
const [file = ''] = process.argv.slice(2);
const log = openSqliteEventLog({ file, busyFor: 20_000 });

const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
const metadata = { at: 0, correlationId: 'req', causationId: null, actor: 'process:test', workspaceId: null };
const events = (count: number) =>
  Array.from({ length: count }, () => ({
    id: newEventId(),
    type: 'thing.happened.v1',
    data: { text: 'x'.repeat(400) },
    metadata,
  }));

async function own(stream: StreamName, appends: number, count: number): Promise<void> {
  let expected: ExpectedRevision = 'none';
  for (let n = 0; n < appends; n++) {
    const appended: { revision: number } = await log.append(stream, expected, events(count));
    expected = appended.revision;
    say({ stream, revision: expected });
  }
}

async function shared(stream: StreamName, appends: number): Promise<void> {
  for (let done = 0; done < appends; ) {
    const [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
    try {
      await log.append(stream, last?.revision ?? 'none', events(1));
      done++;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }
}

async function follow(): Promise<void> {
  const { signal } = new AbortController();
  say({ following: true });
  for await (const page of log.follow({ after: 0, limit: 50, signal })) {
    for (const { id, stream, revision, position } of page.events) say({ id, stream, revision, position });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, stream = '', ...numbers] = line.split(' ');
  const [appends = 0, count = 0] = numbers.map(Number);
  if (command === 'own') void own(stream as StreamName, appends, count).then(() => say({ done: stream }));
  if (command === 'shared') void shared(stream as StreamName, appends).then(() => say({ done: stream }));
  if (command === 'follow') void follow();
}
await log.close();
