import { fieldsOf, listOf, Mismatch } from '../fields.js';

export const parseOptional = <Value>(parse: (value: unknown) => Value) => {
  const data = listOf(parse, 2);
  return (body: unknown): Value | undefined => {
    const found = data(fieldsOf(body), 'data');
    if (found.length > 1) throw new Mismatch('data holds more than one record');
    return found[0];
  };
};
