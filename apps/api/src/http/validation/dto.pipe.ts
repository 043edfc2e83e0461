import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { invalidRequest } from '#kernel';
import { UnreadableBody } from '../json-body.js';
import { dtoCheck } from './dto-check.js';

/** Checks bodies and queries by the decorators of their DTO classes, and makes instances of them (D7). */
@Injectable()
export class DtoPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    if (value instanceof UnreadableBody) throw invalidRequest({ field: 'body', message: value.message });
    const dto = metatype as new () => object;
    const problems = dtoCheck(dto)(value);
    if (problems.length > 0) throw invalidRequest(...problems);
    return Object.keys(value as object).length === 0 ? new dto() : plainToInstance(dto, value);
  }
}
