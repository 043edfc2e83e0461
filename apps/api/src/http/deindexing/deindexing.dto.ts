import { Described, OneOf } from '../validation/rules.js';

export class RequestDeindexBody {
  @Described('The one provider that is supported.')
  @OneOf('search')
  provider!: 'search';
}
