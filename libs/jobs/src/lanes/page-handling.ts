import { setTimeout as delay } from 'node:timers/promises';
import type { CollectionWrite, Duration, EventLog, Logger, LogPage, Position, RecordedEvent } from '#kernel';
import { type DeadLetter, type DeadLetterRetried, RETRIED } from '../dead-letters/dead-letter.js';
import { type DeadLetters, MAX_TRIES } from '../dead-letters/dead-letters.js';
import { isInfrastructureFailure } from '../infrastructure-failure.js';
import type { LogConsumer } from './log-consumer.js';

const RETRY_DELAY: Duration = 50;

type Piece = Omit<LogPage, 'atEnd'> | RecordedEvent<DeadLetterRetried>;

/** Sets aside events that the consumer cannot handle (D67). A failure of the infrastructure is thrown. */
export class PageHandling {
  constructor(
    private readonly consumer: LogConsumer,
    private readonly log: Pick<EventLog, 'readStream'>,
    private readonly deadLetters: DeadLetters,
    private readonly logger: Logger,
    private readonly write: (writes: readonly CollectionWrite[], reached: Position) => Promise<void>,
    private readonly signal: AbortSignal,
  ) {}

  async handle(page: LogPage): Promise<void> {
    for (const piece of this.pieces(page)) {
      if ('type' in piece) await this.retry(piece);
      else await this.handlePiece(piece.events, piece.reached);
    }
  }

  /** The whole page, or, if it has retries of this consumer, the parts before, between and after them. */
  private pieces(page: LogPage): readonly Piece[] {
    if (this.consumer.retry === undefined || !page.events.some(isRetried)) return [page];
    const pieces: Piece[] = [];
    let events: RecordedEvent[] = [];
    for (const event of page.events) {
      if (!isRetried(event)) events.push(event);
      else if (this.isOurs(event)) {
        pieces.push({ events, reached: event.position - 1 }, event);
        events = [];
      }
    }
    return [...pieces, { events, reached: page.reached }];
  }

  private isOurs({ data: { runner } }: RecordedEvent<DeadLetterRetried>): boolean {
    return runner === this.consumer.name || runner === this.consumer.formerName;
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
    if (only === undefined) throw error.cause;
    this.warn(error, 'the runner failed; it searches the event that it cannot process');
    if (half === 0) return this.retryEvent(only, reached, error);
    await this.consumer.takeOver?.();
    const first = events.slice(0, half);
    await this.handlePiece(first, first.at(-1)?.position ?? 0);
    await this.handlePiece(events.slice(half), reached);
  }

  private async retryEvent(event: RecordedEvent, reached: Position, first: Failure): Promise<void> {
    const error = await this.retryAttempt(() => this.attempt([event], reached), first);
    if (error === undefined) return;
    const parts = this.consumer.parts?.(event);
    if (parts === undefined) return this.recordDeadLetters(event, reached, [[null, error]]);
    const failed: [part: string, error: Failure][] = [];
    for (const part of parts) {
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
        'a set-aside event is missing in the log; its retry is skipped',
      );
      return this.write([], retried.position);
    }
    const attempt = async () => {
      await this.write((await this.consumer.retry?.(event, retried)) ?? [], retried.position);
    };
    const first = await failureOf(attempt);
    if (first === undefined) return;
    const error = await this.retryAttempt(attempt, first);
    if (error !== undefined) await this.recordDeadLetters(event, retried.position, [[null, error]]);
  }

  /** Tries again until `MAX_TRIES`. Returns the last failure, or undefined after a success. */
  private async retryAttempt(attempt: () => Promise<void>, first: Failure): Promise<Failure | undefined> {
    let error: Failure | undefined = first;
    for (let tries = 1; tries < MAX_TRIES && error !== undefined; tries++) {
      await this.consumer.takeOver?.();
      await delay(RETRY_DELAY * tries, undefined, { signal: this.signal });
      error = await failureOf(attempt);
      if (error !== undefined) this.warn(error, 'the runner failed again');
    }
    if (error !== undefined) await this.consumer.takeOver?.();
    return error;
  }

  private warn({ cause: err }: Failure, message: string): void {
    this.logger.warn({ err, runner: this.consumer.name }, message);
  }

  private async recordDeadLetters(
    { id, stream, revision, metadata }: RecordedEvent,
    reached: Position,
    failures: readonly (readonly [part: string | null, error: Failure])[],
  ): Promise<void> {
    const { name: runner } = this.consumer;
    const writes: CollectionWrite[] = [];
    for (const [part, { cause: error }] of failures) {
      this.logger.error(
        { err: error, runner, part, event: id, stream },
        'an event cannot be processed; it is set aside',
      );
      const deadLetter: DeadLetter = { runner, part, item: { kind: 'event', eventId: id, stream, revision } };
      const cause = { id, correlationId: metadata.correlationId, workspaceId: metadata.workspaceId };
      const recorded = await this.deadLetters.record(deadLetter, error, cause);
      writes.push(...((await this.consumer.noteDeadLetter?.(recorded)) ?? []));
    }
    await this.write(writes, reached);
  }
}

interface Failure {
  readonly cause: unknown;
}

/** Returns undefined after a success. Rethrows a failure of the infrastructure. */
const failureOf = async (attempt: () => Promise<void>): Promise<Failure | undefined> => {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (isInfrastructureFailure(error)) throw error;
    return { cause: error };
  }
};

const isRetried = (event: RecordedEvent): event is RecordedEvent<DeadLetterRetried> => event.type === RETRIED;
