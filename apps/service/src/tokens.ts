/** Injection tokens of what has no class of its own. */
export const CONFIG = Symbol('config');
/** The keys that authenticate the cursors of the activity list. */
export const ACTIVITY_CURSOR_KEYS = Symbol('activity cursor keys');
