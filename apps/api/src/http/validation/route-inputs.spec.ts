import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { Body, Controller, Get, Module, Post, Query, type Type } from '@nestjs/common';
import { APP_PIPE, DiscoveryModule, NestFactory } from '@nestjs/core';
import { Type as TypeOf } from 'class-transformer';
import { IsNumber, IsOptional, IsString, MaxLength, Validate, ValidateNested, ValidatePromise } from 'class-validator';
import { DtoPipe } from './dto.pipe.js';

/** Starts an application of this controller, as far as Nest's hooks go. */
const start = async (controller: Type): Promise<void> => {
  @Module({
    imports: [DiscoveryModule],
    controllers: [controller],
    providers: [{ provide: APP_PIPE, useClass: DtoPipe }],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  await app.close();
};

class Part {
  @MaxLength(3)
  title!: string;
}

class Plain {}

class BaseBody {
  @IsString()
  name!: string;

  @IsOptional()
  note?: string;
}

class BadBody extends BaseBody {
  @IsNumber()
  override name!: never;

  @ValidateNested()
  part!: Part;

  @ValidateNested({ each: true, validateIf: () => true })
  @TypeOf(() => Part)
  parts!: Part[];

  @ValidatePromise()
  later!: Promise<string>;

  @Validate(Plain)
  unchecked!: string;

  @IsString()
  override toString!: never;
}

class GoodBody {
  @IsString()
  name!: string;
}

test('the service does not start with decorators that would not do what is documented, and names each', async () => {
  @Controller()
  class BadController {
    @Post()
    post(@Body() _body: BadBody): void {}
  }
  await expect(start(BadController)).rejects.toThrow(
    [
      'inputs cannot be validated:',
      'BadBody.part: @ValidateNested() needs @Type(), which says the class of the nested object',
      'BadBody.parts: @ValidateNested() ignores the option validateIf; use @ValidateIf()',
      'BadBody.later: @ValidatePromise() awaits a promise, which JSON cannot hold',
      'BadBody.unchecked: @Validate(Plain) names a class without @ValidatorConstraint(), and would check nothing',
      'BadBody.toString: @IsString() is on a property that every object inherits',
      'BadBody.name: @IsString() is dropped by class-validator, because the class decorates the property again',
      'Part.title: @MaxLength() does not count code points (D7); use @Text()',
    ].join('\n'),
  );
});

test('the service does not start with a body or a query that has no class', async () => {
  interface Shape {
    readonly name: string;
  }
  @Controller()
  class LooseController {
    @Post('shape')
    shape(@Body() _body: Shape): void {}

    @Post('list')
    list(@Body() _body: GoodBody[]): void {}

    @Post('field')
    field(@Body('name') _name: string): void {}

    @Get()
    query(@Query() _query: Record<string, string>): void {}
  }
  const reason = 'must be the whole input and have a class as its type';
  await expect(start(LooseController)).rejects.toThrow(
    [
      'inputs cannot be validated:',
      `LooseController.shape: @Body() ${reason}`,
      `LooseController.list: @Body() ${reason}`,
      `LooseController.field: @Body() ${reason}`,
      `LooseController.query: @Query() ${reason}`,
    ].join('\n'),
  );
});

test('the service starts with classes that hold all they promise', async () => {
  @Controller()
  class GoodController {
    @Post()
    post(@Body() _body: GoodBody, @Query() _query: GoodBody): void {}
  }
  await expect(start(GoodController)).resolves.toBeUndefined();
});
