import { Connection } from 'mongodb/lib/cmap/connection.js';

const write = Connection.prototype.writeCommand;

/**
 * The driver waits until what it has written is on its way, for ever where the socket is gone already and has not said
 * so yet; where its monitor does, the client never finds a server again. So the connection's end is the wait's too.
 */
Connection.prototype.writeCommand = async function (...given) {
  const closed = Promise.withResolvers<never>();
  const onClose = () => closed.reject(this.error);
  this.once('close', onClose);
  try {
    await Promise.race([write.apply(this, given), closed.promise]);
  } finally {
    this.off('close', onClose);
  }
};
