import type { Method, Schema } from '../contract/document.js';
import type { SandboxCore } from '../sandbox-core.js';

interface ControlCall {
  /** The path's parameter. */
  id: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
}

export interface Control {
  method: Method;
  path: string;
  /** Members of the body; none are required unless the control says so. */
  members: Record<string, Schema>;
  required?: string[];
  run(core: SandboxCore, call: ControlCall): unknown;
}

/** The control's schema has passed this body; here it gets its type. */
export function controlBody<Body>(call: ControlCall): Body {
  return call.body as Body;
}

export const TEXT: Schema = { type: 'string' };
export const FLAG: Schema = { type: 'boolean' };
export const NUMBER: Schema = { type: 'integer' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const UUID: Schema = { type: 'string', format: 'uuid' };
export const NULLABLE_TEXT: Schema = { type: ['string', 'null'] };
export const NULLABLE_FLAG: Schema = { type: ['boolean', 'null'] };
export const TEXTS: Schema = { type: 'array', items: TEXT };

export function oneOf(...values: string[]): Schema {
  return { enum: values };
}
