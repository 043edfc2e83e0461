import { MAX_APPEND_BYTES, MAX_APPEND_EVENTS, type RecordedEvent } from '#kernel';
import { asLine } from './log-walk.js';

export type Run = readonly [RecordedEvent, ...RecordedEvent[]];

/** Each line is a little longer than what an append counts for its event, so what fits here fits in an append. */
export async function* runsOf(events: AsyncIterable<RecordedEvent>): AsyncGenerator<Run, void> {
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
