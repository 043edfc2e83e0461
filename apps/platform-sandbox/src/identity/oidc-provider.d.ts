/** Types for the parts of oidc-provider that the sandbox uses; the package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Client {
    readonly clientId: string;
    redirectUriAllowed(uri: string): boolean;
    postLogoutRedirectUriAllowed(uri: string): boolean;
    grantTypeAllowed(type: string): boolean;
  }

  interface Context {
    body?: unknown;
    oidc: {
      readonly client: Client;
      readonly session: { readonly accountId: string; grantIdFor(clientId: string): string | undefined };
      readonly result?: { readonly consent?: { readonly grantId?: string } };
    };
    set(headers: Readonly<Record<string, string>>): void;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Client: { readonly prototype: Client };
    readonly Grant: {
      new (properties: { readonly accountId: string; readonly clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ readonly uid: string }>;
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
  }
}

/** If it is passed by name, the library does not print the warning for its default. */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export function createMemoryAdapter(clockTolerance: number): (model: string) => object;
}
