import { DomainError, type Effect } from '#kernel';
import { given } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import { creatorDecider } from '../creator.js';

export const givenCreator = (past: readonly CreatorEvent[]) => given(creatorDecider, past);

export const done = <Value>(value: Value): Effect<Value> => ({ outcome: 'done', value });

export const refused = (code: string): Effect<never> => ({ outcome: 'refused', code });

export const unknown: Effect<never> = { outcome: 'unknown', error: new DomainError('provider_timeout') };
