import { Connection } from 'mongodb/lib/cmap/connection.js';

/**
 * The driver's connection, but for this: the driver waits for the socket's `drain` after a write, for ever where the socket
 * is destroyed and has not emitted `close` yet. When its monitor waits like this, the client never finds the server again.
 * Here the end of the connection ends the wait. No timeout does: the driver's own begin after the write, and `timeoutMS`
 * has no effect in 7.8 and 7.9.
 */
export class ClosingConnection extends Connection {
  override async writeCommand(...given: Parameters<Connection['writeCommand']>): Promise<void> {
    const closed = Promise.withResolvers<never>();
    const onClose = () => closed.reject(this.error);
    this.once('close', onClose);
    try {
      await Promise.race([super.writeCommand(...given), closed.promise]);
    } finally {
      this.off('close', onClose);
    }
  }
}
