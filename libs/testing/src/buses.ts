import { setImmediate } from 'node:timers/promises';
import type { ModuleRef } from '@nestjs/core';
import { CommandBus, type ICommand } from '@nestjs/cqrs';

/** Only handlers that Nest makes for each request need it. */
const NO_MODULE = undefined as unknown as ModuleRef;

/** A command bus without handlers: it records the commands, and gives each the same answer. */
export class RecordingCommandBus extends CommandBus {
  readonly commands: ICommand[] = [];
  private answered = 0;

  constructor(private readonly answer?: unknown) {
    super(NO_MODULE);
  }

  /** Answers later, as a handler does: so a process that does not wait for its commands is noticed. */
  override async execute<Result>(command: ICommand): Promise<Result> {
    this.commands.push(command);
    await setImmediate();
    this.answered += 1;
    return this.answer as Result;
  }

  assertAllAnswered(): void {
    if (this.answered < this.commands.length) throw new Error('the process did not wait for its commands');
  }
}
