import { setTimeout as delay } from 'node:timers/promises';
import type { CollectionWrite, Duration, EventLog, Logger, LogPage, Position, RecordedEvent } from '#kernel';
import {
  type DeadLetter,
  type DeadLetterRetried,
  type DeadLetters,
  isInfrastructureFailure,
  MAX_TRIES,
  RETRIED,
} from '../dead-letters/dead-letters.js';
import type { LogConsumer } from './log-consumer.js';

const RETRY_DELAY: Duration = 50;

type Piece = Omit<LogPage, 'atEnd'> | RecordedEvent<DeadLetterRetried>;

/** Sets aside events that the consumer cannot handle (D67). A failure of the infrastructure is thrown. */
export class PageHandling {
  readonly types: ReadonlySet<string>;

  constructor(
    readonly consumer: LogConsumer,
    private readonly log: Pick<EventLog, 'readStream'>,
    private readonly deadLetters: DeadLetters,
    private readonly logger: Logger,
    private readonly write: (writes: readonly CollectionWrite[], reached: Position) => Promise<void>,
    private readonly signal: AbortSignal,
  ) {
    this.types = consumer.retry === undefined ? consumer.types : new Set([...consumer.types, RETRIED]);
  }

  async handle(page: LogPage): Promise<void> {
    for (const piece of this.pieces(page)) {
      if ('type' in piece) await this.retry(piece);
      else await this.handlePiece(piece.events, piece.reached);
    }
  }

  /** The whole page, or, if it has retries of this consumer, the parts before, between and after them. */
  private pieces(page: LogPage): readonly Piece[] {
    if (this.consumer.retry === undefined || !page.events.some(isRetried)) return [page];
    const { name, formerName } = this.consumer;
    const pieces: Piece[] = [];
    let events: RecordedEvent[] = [];
    for (const event of page.events) {
      if (!isRetried(event)) events.push(event);
      else if ([name, formerName].includes(event.data.runner)) {
        pieces.push({ events, reached: event.position - 1 }, event);
        events = [];
      }
    }
    return [...pieces, { events, reached: page.reached }];
  }

  private async attempt(events: readonly RecordedEvent[], reached: Position, part?: string): Promise<void> {
    await this.write(await this.consumer.handle({ events, reached, atEnd: false }, part), reached);
  }

  /** Handles the events together. If that fails, it handles each half, until it finds the event that causes the failure. */
  private async handlePiece(events: readonly RecordedEvent[], reached: Position): Promise<void> {
    const error = await failureOf(() => this.attempt(events, reached));
    if (error === undefined) return;
    const half = Math.floor(events.length / 2);
    const [only] = events;
    if (only === undefined) throw error;
    this.warn(error, 'the runner failed; it searches for the event that it cannot process');
    if (half === 0) return this.retryEvent(only, reached, error);
    await this.consumer.takeOver?.();
    const first = events.slice(0, half);
    await this.handlePiece(first, first.at(-1)?.position ?? 0);
    await this.handlePiece(events.slice(half), reached);
  }

  private async retryEvent(event: RecordedEvent, reached: Position, first: Error): Promise<void> {
    const error = await this.retryAttempt(() => this.attempt([event], reached), first);
    if (error === undefined) return;
    const parts = this.consumer.parts?.(event);
    const failed: [part: string | null, error: Error][] = parts === undefined ? [[null, error]] : [];
    for (const part of parts ?? []) {
      // The checkpoint stays before the event until the other parts are written too.
      const ofPart = await failureOf(() => this.attempt([event], event.position - 1, part));
      if (ofPart === undefined) continue;
      failed.push([part, ofPart]);
      await this.consumer.takeOver?.();
    }
    await this.recordDeadLetters(event, reached, failed);
  }

  private async retry(retried: RecordedEvent<DeadLetterRetried>): Promise<void> {
    const { item } = retried.data;
    if (item.kind !== 'event') return this.write([], retried.position);
    const [event] = await this.log.readStream(item.stream, { from: item.revision, limit: 1 });
    if (event === undefined) {
      this.logger.error(
        { event: item.eventId, stream: item.stream },
        'a set-aside event is missing from the log; its retry is skipped',
      );
      return this.write([], retried.position);
    }
    const attempt = async () => {
      await this.write((await this.consumer.retry?.(event, retried)) ?? [], retried.position);
    };
    const error = await this.retryAttempt(attempt, await failureOf(attempt));
    if (error !== undefined) await this.recordDeadLetters(event, retried.position, [[null, error]]);
  }

  /** Tries again after a first failure, until `MAX_TRIES`. Returns the last failure, or undefined after a success. */
  private async retryAttempt(attempt: () => Promise<void>, first: Error | undefined): Promise<Error | undefined> {
    let error = first;
    for (let tries = 1; tries < MAX_TRIES && error !== undefined; tries++) {
      await this.consumer.takeOver?.();
      await delay(RETRY_DELAY * tries, undefined, { signal: this.signal });
      error = await failureOf(attempt);
      if (error !== undefined) this.warn(error, 'the runner failed again');
    }
    if (error !== undefined) await this.consumer.takeOver?.();
    return error;
  }

  private warn(err: Error, message: string): void {
    this.logger.warn({ err, runner: this.consumer.name }, message);
  }

  private async recordDeadLetters(
    { id, stream, revision, metadata }: RecordedEvent,
    reached: Position,
    failures: readonly (readonly [part: string | null, error: Error])[],
  ): Promise<void> {
    const { name: runner } = this.consumer;
    const writes: CollectionWrite[] = [];
    for (const [part, error] of failures) {
      this.logger.error(
        { err: error, runner, part, event: id, stream },
        'an event cannot be processed; it is set aside',
      );
      const deadLetter: DeadLetter = { runner, part, item: { kind: 'event', eventId: id, stream, revision } };
      const recorded = await this.deadLetters.record(deadLetter, error, { ...metadata, id });
      if (this.consumer.noteDeadLetter === undefined) continue;
      const [event] = await this.log.readStream(recorded.stream, { from: recorded.revision, limit: 1 });
      if (event !== undefined) writes.push(...(await this.consumer.noteDeadLetter(event)));
    }
    await this.write(writes, reached);
  }
}

const failureOf = async (attempt: () => Promise<void>): Promise<Error | undefined> => {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (isInfrastructureFailure(error)) throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
};

const isRetried = (event: RecordedEvent): event is RecordedEvent<DeadLetterRetried> => event.type === RETRIED;
