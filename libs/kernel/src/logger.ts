export abstract class Logger {
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
