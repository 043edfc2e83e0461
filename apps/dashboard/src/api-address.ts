import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { publicAddress } from '#http';
import { DashboardOptions } from './dashboard.options.js';

/** Where agencies reach the API: its public address, or else where it listens. */
@Injectable()
export class ApiAddress {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly options: DashboardOptions,
  ) {}

  get url(): string {
    return publicAddress(this.options.apiUrl, this.host.httpAdapter.getHttpServer());
  }
}
