import { once } from 'node:events';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Faults } from './faults.js';
import { checkpointMessage, eventMessage, nameOf, notFoundMessage, streamDeleted } from './messages.js';
import type { Direction, Records, StoredEvent } from './records.js';

type Call = ServerWritableStream<streams.ReadReq, streams.ReadResp>;
type Options = streams.ReadReq.Options;
type Matches = (event: StoredEvent) => boolean;

/** How many records one read of the file returns. */
const PAGE_SIZE = 100;
/** How many events a subscription may have waiting; with more it falls behind and reads them from the file. */
const LIVE_EVENTS = 32;

export async function read(records: Records, faults: Faults, call: Call): Promise<void> {
  const options = call.request.getOptions() ?? new streams.ReadReq.Options();
  if (options.hasSubscription()) await new Subscription(records, faults, call, options).run();
  else if (options.hasStream()) await readStream(records, call, options);
  else await readAll(records, call, options);
  call.end();
}

async function readStream(records: Records, call: Call, options: Options): Promise<void> {
  const direction = directionOf(options);
  const asked = options.getStream();
  const name = nameOf(asked?.getStreamIdentifier());
  let from = asked?.hasRevision() ? Number(asked.getRevision()) : asked?.hasEnd() ? Infinity : 0;
  for (let left = Number(options.getCount()); left > 0; ) {
    const page = records.stream(name, from, Math.min(left, PAGE_SIZE), direction);
    if (page === 'deleted') return void call.emit('error', streamDeleted(name));
    if (page === 'not found') return send(call, notFoundMessage(name));
    for (const event of page) await send(call, eventMessage(event));
    const last = page.at(-1)?.revision;
    if (last == null || page.length < PAGE_SIZE || call.cancelled) return;
    left -= page.length;
    from = direction === 'forwards' ? last + 1 : last - 1;
  }
}

async function readAll(records: Records, call: Call, options: Options): Promise<void> {
  const direction = directionOf(options);
  const matches = filterOf(options);
  const all = options.getAll();
  let from = all?.hasEnd() ? Infinity : Number(all?.getPosition()?.getCommitPosition() ?? 0);
  for (let left = Number(options.getCount()); left > 0; ) {
    const page = records.all(from, Math.min(PAGE_SIZE, Math.max(left, 2)), direction);
    for (const event of page.filter(matches)) {
      if (left-- > 0) await send(call, eventMessage(event));
    }
    const last = page.at(-1);
    if (last === undefined || call.cancelled) return;
    from = direction === 'forwards' ? last.position + 1 : last.position;
  }
}

/**
 * Sends the events from a position on, then new ones. A live subscription gets a checkpoint after each interval.
 * While it catches up, it gets checkpoints only between pages: events that are filtered out at the end pass without
 * one, as on the real server.
 */
class Subscription {
  private readonly matches: Matches;
  private readonly interval: number;
  private next: number;
  private wake: () => void = () => {};

  constructor(
    private readonly records: Records,
    private readonly faults: Faults,
    private readonly call: Call,
    options: Options,
  ) {
    const filter = options.getFilter();
    const all = options.getAll();
    this.matches = filterOf(options);
    this.interval = filter
      ? filter.getCheckpointintervalmultiplier() * (filter.hasMax() ? filter.getMax() : 32)
      : Infinity;
    // Positions of a subscription are those of what has been seen.
    this.next = all?.hasEnd()
      ? records.head()
      : all?.hasPosition()
        ? Number(all.getPosition()?.getCommitPosition()) + 1
        : 0;
  }

  async run(): Promise<void> {
    let rung = 0;
    const stopListening = this.records.onAppend(() => {
      rung++;
      this.wake();
    });
    this.call.on('cancelled', () => this.wake());
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID());
    await send(this.call, new streams.ReadResp().setConfirmation(confirmation));
    let live = false;
    while (!this.call.cancelled) {
      const heard = rung;
      const page = this.records.all(this.next, LIVE_EVENTS + 1, 'forwards');
      if (page.length === 0) {
        if (!live) await send(this.call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
        live = true;
        if (rung === heard && !this.call.cancelled) await new Promise<void>((resolve) => (this.wake = resolve));
        continue;
      }
      if (live && page.length > LIVE_EVENTS) {
        live = false;
        await send(this.call, new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind()));
      }
      await this.send(page, live);
    }
    stopListening();
  }

  private since = 0;

  private async send(page: readonly StoredEvent[], live: boolean): Promise<void> {
    for (const [index, event] of page.entries()) {
      await this.faults.heldBack;
      if (this.call.cancelled) return;
      if (this.matches(event)) await send(this.call, eventMessage(event));
      this.next = event.position + 1;
      this.since++;
      const isReported = live || (index === page.length - 1 && page.length > LIVE_EVENTS);
      if (this.since >= this.interval && isReported) {
        this.since = 0;
        await send(this.call, checkpointMessage(event.position));
      }
    }
  }
}

/** Holds back where the client does not read. */
async function send(call: Call, message: streams.ReadResp): Promise<void> {
  if (call.cancelled || call.write(message)) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(call, 'drain', { signal }), once(call, 'cancelled', { signal })]).catch(() => {});
  over.abort();
}

const directionOf = (options: Options): Direction => (options.getReadDirection() === 0 ? 'forwards' : 'backwards');

function filterOf(options: Options): Matches {
  const filter = options.getFilter();
  if (filter === undefined) return () => true;
  const ofType = filter.getEventType();
  const expression = ofType ?? filter.getStreamIdentifier();
  const subject = ({ type, stream }: StoredEvent) => (ofType ? type : stream);
  const regex = expression?.getRegex();
  if (regex) {
    const pattern = new RegExp(regex);
    return (event) => pattern.test(subject(event));
  }
  const prefixes = expression?.getPrefixList() ?? [];
  return (event) => prefixes.some((prefix) => subject(event).startsWith(prefix));
}
