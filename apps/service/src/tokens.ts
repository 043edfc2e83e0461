// Tests of a build load Nest twice, and find the service's buses only by the classes that the service knows.
export { CommandBus, QueryBus } from '@nestjs/cqrs';

/** Injection tokens of values that have no class. */
export const CONFIG = Symbol('config');
export const ACTIVITY_CURSOR_KEYS = Symbol('activity cursor keys');
export const LOGIN_COOKIE_KEYS = Symbol('login cookie keys');
