import type { Method, Schema } from '../contract/document.js';
import { objectOf } from '../contract/schemas.js';
import type { SandboxCore } from '../sandbox-core.js';

interface ControlCall<Body> {
  /** The path's parameter. */
  id: string;
  query: Readonly<Record<string, string>>;
  body: Body;
}

export interface Control {
  method: Method;
  path: string;
  /** Of the body; what it does not require may be left out. */
  schema: Schema;
  run(core: SandboxCore, call: ControlCall<unknown>): unknown;
}

/** The schema describes `Body`, which the body has when it has passed. */
export function control<Body>(
  method: Method,
  path: string,
  schema: Schema,
  run: (core: SandboxCore, call: ControlCall<Body>) => unknown,
): Control {
  return { method, path, schema, run: (core, call) => run(core, { ...call, body: call.body as Body }) };
}

export const NO_MEMBERS: Schema = objectOf({});
export const TEXT: Schema = { type: 'string' };
export const FLAG: Schema = { type: 'boolean' };
export const NUMBER: Schema = { type: 'integer' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const UUID: Schema = { type: 'string', format: 'uuid' };
export const NULLABLE_TEXT: Schema = { type: ['string', 'null'] };
export const NULLABLE_FLAG: Schema = { type: ['boolean', 'null'] };
export const NULLABLE_COUNT: Schema = { type: ['integer', 'null'], minimum: 0 };
export const TEXTS: Schema = { type: 'array', items: TEXT };

export function oneOf(...values: string[]): Schema {
  return { enum: values };
}
