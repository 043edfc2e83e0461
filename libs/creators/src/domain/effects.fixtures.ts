import { type CallMade, DomainError, type Effect } from '#kernel';
import { given, type Past } from '#testing';
import type { CreatorEvent } from './creator.events.js';
import { creatorDecider } from './creator.js';
import type { CreatorState } from './creator.state.js';

export const givenCreator = (past: Past<CreatorEvent>) => given(creatorDecider, past);

export const done = <Value>(value: Value): Effect<Value> => ({ outcome: 'done', value });

export const refused = (code: string): Effect<never> => ({ outcome: 'refused', code });

export const unknown: Effect<never> = { outcome: 'unknown', error: new DomainError('provider_timeout') };

/** A call that was made from that state; nothing was recorded while it ran. */
export const callFrom = (intended: CreatorState): CallMade<CreatorState> => ({ intended, isOvertaken: false });
