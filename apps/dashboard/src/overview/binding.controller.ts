import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse } from '@nestjs/swagger';
import { BindAgency, publicBinding } from '#agencies';
import { parseUserId } from '#kernel';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { BindBody, BindingAnswer } from './binding.dto.js';

@Controller('dashboard/api/binding')
export class BindingController {
  constructor(private readonly commands: CommandBus) {}

  /** Binds the agency to the owner that the person has seen; refused if the platform names another one by now. */
  @Post()
  @HttpCode(200)
  @Rights('bind')
  @ApiOkResponse({ type: BindingAnswer })
  async bind(@Visitor() { agencyId, context }: Visit, @Body() body: BindBody): Promise<BindingAnswer> {
    const seen = parseUserId(body.owner_user_id);
    return publicBinding(await this.commands.execute(new BindAgency(agencyId, context, seen)));
  }
}
