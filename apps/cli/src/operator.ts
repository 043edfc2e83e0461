import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ToolRunners } from './tool-runners.js';

@Injectable()
export class Operator {
  constructor(
    readonly commands: CommandBus,
    readonly queries: QueryBus,
    readonly runners: ToolRunners,
  ) {}
}
