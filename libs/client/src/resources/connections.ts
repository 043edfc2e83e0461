import type { ApiCall } from '../api-call.js';
import type { CallOptions } from '../options.js';
import type { Operations } from '../transport/operations.js';
import type { Connection } from '../types.js';

export class Connections {
  constructor(private readonly api: Operations) {}

  /** The key's agency, workspace and scopes. */
  get(options?: CallOptions): ApiCall<Connection> {
    return this.api.call({ method: 'GET', path: '/v1/me' }, options);
  }
}
