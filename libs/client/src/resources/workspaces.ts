import type { ApiCall } from '../api-call.js';
import type { CallOptions } from '../options.js';
import type { Operations } from '../transport/operations.js';
import { path } from '../transport/request.js';
import type { Workspace } from '../types.js';

export class Workspaces {
  constructor(private readonly api: Operations) {}

  get(workspaceId: string, options?: CallOptions): ApiCall<Workspace> {
    return this.api.call({ method: 'GET', path: path`/v1/workspaces/${workspaceId}` }, options);
  }
}
