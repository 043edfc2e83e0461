declare module 'mongodb/lib/cmap/connection.js' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  export class Connection extends EventEmitter {
    constructor(socket: Socket, options: object);
    readonly error: Error | null;
    command(namespace: object, command: object, options: object): Promise<object>;
    writeCommand(command: object, options: object): Promise<void>;
  }
}
