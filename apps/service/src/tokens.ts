/** Injection tokens of values that have no class. */
export const CONFIG = Symbol('config');
export const ACTIVITY_CURSOR_KEYS = Symbol('activity cursor keys');
export const LOGIN_COOKIE_KEYS = Symbol('login cookie keys');
