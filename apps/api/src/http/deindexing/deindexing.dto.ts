import { Described, OneOf } from '#http';

export class RequestDeindexBody {
  @Described('The one provider that is supported.')
  @OneOf('search')
  provider!: 'search';
}
