/** Injection tokens of what has no class of its own. */
export const LOGGER = Symbol('logger');
export const SERVICES = Symbol('services');
