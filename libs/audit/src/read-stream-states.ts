import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DECIDERS } from '#contexts';
import { categoryOf, EventLog, invalidRequest, notFound, type StreamName } from '#kernel';
import type { Moment } from './moment.js';
import { readerOf } from './pseudonyms.js';
import { type StateStep, streamStates } from './stream-state.js';

/** The states of a stream, one after each event, up to a moment. `not_found` if the stream has none. */
export class ReadStreamStates extends Query<AsyncIterable<StateStep>> {
  constructor(
    readonly stream: StreamName,
    readonly at: Moment | undefined,
    /** Personal texts as they are; otherwise numbered placeholders. */
    readonly isRevealed: boolean,
  ) {
    super();
  }
}

@QueryHandler(ReadStreamStates)
export class ReadStreamStatesHandler implements IQueryHandler<ReadStreamStates> {
  constructor(private readonly log: EventLog) {}

  async execute({ stream, at, isRevealed }: ReadStreamStates): Promise<AsyncIterable<StateStep>> {
    const decider = DECIDERS.get(categoryOf(stream));
    if (decider === undefined) {
      const known = [...DECIDERS.keys()].toSorted().join(', ');
      throw invalidRequest({ field: 'stream', message: `must be of one of the categories ${known}` });
    }
    const steps = streamStates(this.log, decider, stream, { at, seen: readerOf(isRevealed) });
    const message = at === undefined ? `${stream} has no event` : `${stream} had no event at that time`;
    return atLeastOne(steps, () => notFound('stream', message));
  }
}

async function* atLeastOne(steps: AsyncIterable<StateStep>, noStep: () => Error): AsyncGenerator<StateStep> {
  let isEmpty = true;
  for await (const step of steps) {
    isEmpty = false;
    yield step;
  }
  if (isEmpty) throw noStep();
}
