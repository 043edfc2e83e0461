import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DashboardOptions } from './dashboard.options.js';

/** Where agencies reach the API: its public address, or else where it listens. */
@Injectable()
export class ApiAddress {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly options: DashboardOptions,
  ) {}

  get url(): string {
    return this.options.apiUrl ?? this.listening;
  }

  private get listening(): string {
    const address = this.host.httpAdapter.getHttpServer().address();
    if (typeof address !== 'object' || address === null) return '';
    const { address: host, port } = address;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }
}
