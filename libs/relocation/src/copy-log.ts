import {
  type EventLog,
  MAX_APPEND_BYTES,
  MAX_APPEND_EVENTS,
  type Position,
  type RecordedEvent,
  WrongExpectedRevision,
} from '#kernel';
import { asLine, CopyRefused, Digest, eventsAfter } from './log-walk.js';

type Run = readonly [RecordedEvent, ...RecordedEvent[]];

export interface LogProgress {
  /** How far the copy is in the source, and the source's end at the start. */
  readonly reached: Position;
  readonly head: Position;
  /** Events in the target. */
  readonly events: number;
}

export interface CopiedLog {
  /** How many events source and target hold, and how many the target held before. */
  readonly events: number;
  readonly found: number;
  /** SHA-256 over ids, streams, revisions, types, data and metadata of all events in order; the same for both. */
  readonly digest: string;
}

interface Common {
  readonly inSource: Position;
  readonly inTarget: Position;
}

/**
 * Copies a log into another store, event by event in the order of the whole log, with the same ids, revisions and
 * metadata, so that hashes, seals and cursors are valid in the copy. Both logs must be the stores themselves, without
 * the layers that encrypt, decrypt or chain. Events that the target already holds are compared with the start of the
 * source, and the copy continues after them: an interrupted copy is finished by the same call. Each appended event is
 * read again. `beforeAppending` is called if there is anything to append. Rejects with `CopyRefused` and `StoreUnavailable`.
 */
export const copyLog = async (
  source: EventLog,
  target: EventLog,
  onProgress: (progress: LogProgress) => void = () => undefined,
  beforeAppending: () => Promise<void> = async () => undefined,
): Promise<CopiedLog> => {
  const head = await source.head();
  const [sent, stored] = [new Digest(), new Digest()];
  const report = (reached: Position) => onProgress({ reached, head, events: sent.lines });

  const common = await compareBeginnings(source, target, [sent, stored], report);
  const found = stored.lines;
  for await (const run of runsOf(eventsAfter(source, common.inSource))) {
    if (sent.lines === found) await beforeAppending();
    await append(target, run);
    for (const event of run) sent.add(asLine(event));
    report(run[run.length - 1]?.position ?? head);
  }
  for await (const event of eventsAfter(target, common.inTarget)) stored.add(asLine(event));
  if (stored.lines !== sent.lines || `${stored}` !== `${sent}`) {
    throw new CopyRefused(
      `the target holds ${stored.lines} events that are not the ${sent.lines} of the source: ` +
        'another process writes to it. Stop that process, and copy into an empty log.',
    );
  }
  return { events: sent.lines, found, digest: `${sent}` };
};

const compareBeginnings = async (
  source: EventLog,
  target: EventLog,
  digests: readonly Digest[],
  report: (reached: Position) => void,
): Promise<Common> => {
  let common: Common = { inSource: 0, inTarget: 0 };
  const originals = eventsAfter(source, 0);
  for await (const copy of eventsAfter(target, 0)) {
    const { value: original } = await originals.next();
    const line = asLine(copy);
    if (!original || asLine(original) !== line) {
      await originals.return();
      throw new CopyRefused(differenceAt((digests[0]?.lines ?? 0) + 1, original || undefined, copy));
    }
    for (const digest of digests) digest.add(line);
    common = { inSource: original.position, inTarget: copy.position };
    report(original.position);
  }
  await originals.return();
  return common;
};

const differenceAt = (number: number, original: RecordedEvent | undefined, copy: RecordedEvent): string => {
  const named = ({ stream, revision, id }: RecordedEvent) => `${stream} at revision ${revision} (${id})`;
  if (original === undefined) {
    return (
      `the target goes on where the source ends: its event ${number} is ${named(copy)}. ` +
      'Somebody has been writing to it since; copy from it, or into an empty one.'
    );
  }
  const found = original.id === copy.id ? 'the same event otherwise' : named(copy);
  return (
    `event ${number} of the source is ${named(original)}, and the target has ${found}: it holds another log, or one ` +
    'of the two was altered. Copy into an empty one, or find the altered one with `events verify`.'
  );
};

const append = async (target: EventLog, run: Run): Promise<void> => {
  const [{ stream, revision }] = run;
  try {
    await target.append(stream, revision === 0 ? 'none' : revision - 1, run);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    throw new CopyRefused(
      `another process writes to ${stream} in the target. Stop that process, and copy into an empty log.`,
    );
  }
};

/** Each line is a little longer than what an append counts for its event, so what fits here fits in an append. */
async function* runsOf(events: AsyncIterable<RecordedEvent>): AsyncGenerator<Run, void> {
  let run: [RecordedEvent, ...RecordedEvent[]] | undefined;
  let bytes = 0;
  for await (const event of events) {
    const size = Buffer.byteLength(asLine(event)) + ENVELOPE;
    const fits =
      run !== undefined &&
      run[0].stream === event.stream &&
      run.length < MAX_APPEND_EVENTS &&
      bytes + size <= MAX_APPEND_BYTES;
    if (run !== undefined && fits) {
      run.push(event);
      bytes += size;
    } else {
      if (run !== undefined) yield run;
      run = [event];
      bytes = size;
    }
  }
  if (run !== undefined) yield run;
}

const ENVELOPE = '{"id":,"type":,"stream":,"data":,"metadata":}'.length;
