import { Connection } from 'mongodb/lib/cmap/connection.js';

/**
 * The driver's connection with one change. After a write the driver waits for the socket's `drain`, forever if the
 * socket is destroyed and has not emitted `close` yet. If its monitor waits like this, the client never reconnects.
 * Here the end of the connection ends the wait. No timeout ends it: the driver's own ones begin after the write, and
 * `timeoutMS` has no effect in 7.8 and 7.9.
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
