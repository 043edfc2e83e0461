/** Names the class, of which instances of another copy of the package are instances too. */
export const knownError = (type: abstract new (...args: never[]) => Error, name: string): void => {
  const brand = Symbol.for(`@creator-protection/client/${name}`);
  Object.assign(type.prototype, { name, [brand]: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, thrown: unknown) {
      // A subclass inherits this function, but no brand.
      return this === type ? brand in Object(thrown) : Function.prototype[Symbol.hasInstance].call(this, thrown);
    },
  });
};
