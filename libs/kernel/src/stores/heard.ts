/**
 * How often this process has heard from a store that others write too. What was looked up before the last time may be
 * older than what was heard then: whoever decides by both has to look it up again.
 */
export const heard = { times: 0 };
