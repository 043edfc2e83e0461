import type { Logger } from '#kernel';

interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: object;
}

/** Keeps what was said to operators. */
export class RecordingLogger implements Logger {
  readonly lines: Line[] = [];

  info(fields: object, message: string): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(fields: object, message: string): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(fields: object, message: string): void {
    this.lines.push({ level: 'error', message, fields });
  }
}
