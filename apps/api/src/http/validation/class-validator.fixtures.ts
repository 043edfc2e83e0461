import * as v from 'class-validator';

/** A decorator with an input that its documentation accepts, and one that it refuses. */
export interface Example {
  readonly decorate: (options?: v.ValidationOptions) => PropertyDecorator;
  readonly accepted: unknown;
  readonly refused: unknown;
  /** What `@Type()` converts the input to before it is checked. */
  readonly type?: new () => object;
}

enum Colour {
  Red = 'red',
}

class Item {
  name?: string;
}

type Decorate = Example['decorate'];

const of = (decorate: Decorate, accepted: unknown, refused: unknown, type?: new () => object): Example => ({
  decorate,
  accepted,
  refused,
  ...(type !== undefined && { type }),
});

export const DAY = '2026-03-01T00:00:00.000Z';
const isEven: v.ValidateByOptions = {
  name: 'isEven',
  validator: { validate: (value) => Number(value) % 2 === 0, defaultMessage: () => '$property must be even' },
};

/** The decorators that check a value; those that do something else are in the spec. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  Equals: of((o) => v.Equals('a', o), 'a', 'b'),
  NotEquals: of((o) => v.NotEquals('a', o), 'b', 'a'),
  IsEmpty: of((o) => v.IsEmpty(o), '', 'a'),
  IsNotEmpty: of((o) => v.IsNotEmpty(o), 'a', ''),
  IsIn: of((o) => v.IsIn(['a', 'b'], o), 'b', 'c'),
  IsNotIn: of((o) => v.IsNotIn(['a', 'b'], o), 'c', 'b'),
  IsBoolean: of((o) => v.IsBoolean(o), false, 'false'),
  IsDate: of((o) => v.IsDate(o), DAY, 'no day', Date),
  IsString: of((o) => v.IsString(o), 'a', 1),
  IsNumber: of((o) => v.IsNumber({ maxDecimalPlaces: 1 }, o), 1.5, 1.55),
  IsInt: of((o) => v.IsInt(o), 1, 1.5),
  IsArray: of((o) => v.IsArray(o), [1], 1),
  IsEnum: of((o) => v.IsEnum(Colour, o), 'red', 'Red'),
  IsDivisibleBy: of((o) => v.IsDivisibleBy(3, o), 9, 10),
  IsPositive: of((o) => v.IsPositive(o), 1, 0),
  IsNegative: of((o) => v.IsNegative(o), -1, 0),
  Min: of((o) => v.Min(2, o), 2, 1),
  Max: of((o) => v.Max(2, o), 2, 3),
  MinDate: of((o) => v.MinDate(new Date(DAY), o), DAY, '2026-02-28', Date),
  MaxDate: of((o) => v.MaxDate(() => new Date(DAY), o), DAY, '2026-03-02', Date),
  IsBooleanString: of((o) => v.IsBooleanString(o), 'true', 'yes'),
  IsDateString: of((o) => v.IsDateString({}, o), DAY, '1 March'),
  IsNumberString: of((o) => v.IsNumberString({}, o), '1.5', '1.5a'),
  Contains: of((o) => v.Contains('b', o), 'abc', 'ac'),
  NotContains: of((o) => v.NotContains('b', o), 'ac', 'abc'),
  IsAlpha: of((o) => v.IsAlpha('en-US', o), 'abc', 'ab1'),
  IsAlphanumeric: of((o) => v.IsAlphanumeric('en-US', o), 'ab1', 'ab-1'),
  IsDecimal: of((o) => v.IsDecimal({ force_decimal: true }, o), '1.5', '1'),
  IsAscii: of((o) => v.IsAscii(o), 'a', 'é'),
  IsBase32: of((o) => v.IsBase32(o), 'MFRGG===', 'MFRGG==='.toLowerCase()),
  IsBase58: of((o) => v.IsBase58(o), '2NEpo7', '0OIl'),
  IsBase64: of((o) => v.IsBase64({}, o), 'YWJj', 'YWJ'),
  IsIBAN: of((o) => v.IsIBAN({}, o), 'DE89370400440532013000', 'DE88370400440532013000'),
  IsBIC: of((o) => v.IsBIC(o), 'DEUTDEFF', 'DEUT'),
  IsByteLength: of((o) => v.IsByteLength(1, 2, o), 'é', 'éa'),
  IsCreditCard: of((o) => v.IsCreditCard(o), '4111111111111111', '4111111111111112'),
  IsCurrency: of((o) => v.IsCurrency({ symbol: '€' }, o), '€1,000.50', '$1'),
  IsISO4217CurrencyCode: of((o) => v.IsISO4217CurrencyCode(o), 'EUR', 'EUX'),
  IsEthereumAddress: of((o) => v.IsEthereumAddress(o), `0x${'a'.repeat(40)}`, `0x${'a'.repeat(39)}`),
  IsBtcAddress: of((o) => v.IsBtcAddress(o), '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'btc'),
  IsDataURI: of((o) => v.IsDataURI(o), 'data:text/plain;base64,YWJj', 'text/plain'),
  IsEmail: of((o) => v.IsEmail({}, o), 'a@example.com', 'a@example'),
  IsFQDN: of((o) => v.IsFQDN({}, o), 'example.com', 'example'),
  IsFullWidth: of((o) => v.IsFullWidth(o), 'ひ', 'a'),
  IsHalfWidth: of((o) => v.IsHalfWidth(o), 'a', 'ひ'),
  IsVariableWidth: of((o) => v.IsVariableWidth(o), 'aひ', 'a'),
  IsHexColor: of((o) => v.IsHexColor(o), '#ff0000', 'red'),
  IsHSL: of((o) => v.IsHSL(o), 'hsl(120, 100%, 50%)', 'hsl(120)'),
  IsRgbColor: of((o) => v.IsRgbColor(false, o), 'rgb(1,2,3)', 'rgb(1%,2%,3%)'),
  IsIdentityCard: of((o) => v.IsIdentityCard('ES', o), '99999999R', '99999999A'),
  IsPassportNumber: of((o) => v.IsPassportNumber('FR', o), '12AB34567', '12'),
  IsPostalCode: of((o) => v.IsPostalCode('DE', o), '10115', '1011'),
  IsHexadecimal: of((o) => v.IsHexadecimal(o), 'beef', 'beeg'),
  IsOctal: of((o) => v.IsOctal(o), '0o17', '18'),
  IsMACAddress: of((o) => v.IsMACAddress({}, o), '01:02:03:04:05:ab', '01:02:03:04:05'),
  IsIP: of((o) => v.IsIP('4', o), '127.0.0.1', '::1'),
  IsPort: of((o) => v.IsPort(o), '443', '65536'),
  IsISBN: of((o) => v.IsISBN('13', o), '9783836221191', '3836221195'),
  IsEAN: of((o) => v.IsEAN(o), '9421023610112', '9421023610113'),
  IsISIN: of((o) => v.IsISIN(o), 'US0378331005', 'US0378331006'),
  IsISO8601: of((o) => v.IsISO8601({ strict: true }, o), '2024-02-29', '2023-02-29'),
  IsJSON: of((o) => v.IsJSON(o), '{"a":1}', '{a:1}'),
  IsJWT: of((o) => v.IsJWT(o), 'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln', 'a.b'),
  IsObject: of((o) => v.IsObject(o), { a: 1 }, 'a'),
  IsNotEmptyObject: of((o) => v.IsNotEmptyObject({}, o), { a: 1 }, {}),
  IsLowercase: of((o) => v.IsLowercase(o), 'a', 'A'),
  IsLatLong: of((o) => v.IsLatLong(o), '52.5,13.4', '91,13.4'),
  IsLatitude: of((o) => v.IsLatitude(o), 52.5, 91),
  IsLongitude: of((o) => v.IsLongitude(o), '179.9', '180.1'),
  IsMobilePhone: of((o) => v.IsMobilePhone('fr-FR', {}, o), '0612345678', '0112345678'),
  IsISO6391: of((o) => v.IsISO6391(o), 'fr', 'xx'),
  IsISO31661Alpha2: of((o) => v.IsISO31661Alpha2(o), 'FR', 'XX'),
  IsISO31661Alpha3: of((o) => v.IsISO31661Alpha3(o), 'FRA', 'XXX'),
  IsISO31661Numeric: of((o) => v.IsISO31661Numeric(o), '250', '999'),
  IsLocale: of((o) => v.IsLocale(o), 'fr-FR', '-'),
  IsPhoneNumber: of((o) => v.IsPhoneNumber('DE', o), '+4930123456', '12'),
  IsMongoId: of((o) => v.IsMongoId(o), '507f1f77bcf86cd799439011', '507f1f77'),
  IsMultibyte: of((o) => v.IsMultibyte(o), 'é', 'e'),
  IsSurrogatePair: of((o) => v.IsSurrogatePair(o), '😀', 'é'),
  IsTaxId: of((o) => v.IsTaxId('de-DE', o), '26954371827', '26954371828'),
  IsUrl: of((o) => v.IsUrl({ protocols: ['https'] }, o), 'https://example.com/a', 'ftp://example.com'),
  IsMagnetURI: of((o) => v.IsMagnetURI(o), `magnet:?xt=urn:btih:${'A'.repeat(40)}`, 'magnet:'),
  IsUUID: of((o) => v.IsUUID('4', o), '3c7e1d0a-8f5b-4c1e-9d2a-6b7f8e9d0c1b', '3c7e1d0a-8f5b-1c1e-9d2a-6b7f8e9d0c1b'),
  IsFirebasePushId: of((o) => v.IsFirebasePushId(o), '-JhLeOlGIEjaIOFHR0xd', '-JhLeOlGIEjaIOFHR0x'),
  IsUppercase: of((o) => v.IsUppercase(o), 'A', 'a'),
  Matches: of((o) => v.Matches(/^a+$/g, o), 'aa', 'ab'),
  IsMilitaryTime: of((o) => v.IsMilitaryTime(o), '23:59', '24:00'),
  IsTimeZone: of((o) => v.IsTimeZone(o), 'Europe/Paris', 'Europe/Nowhere'),
  IsHash: of((o) => v.IsHash('md5', o), 'd'.repeat(32), 'd'.repeat(31)),
  IsMimeType: of((o) => v.IsMimeType(o), 'text/plain', 'plain'),
  IsSemVer: of((o) => v.IsSemVer(o), '1.2.3', '1.2'),
  IsISSN: of((o) => v.IsISSN({}, o), '0378-5955', '0378-5954'),
  IsISRC: of((o) => v.IsISRC(o), 'USAT29900609', 'USAT2990060'),
  IsRFC3339: of((o) => v.IsRFC3339(o), DAY, '2026-03-01'),
  IsStrongPassword: of((o) => v.IsStrongPassword({ minLength: 8 }, o), 'aB3$aB3$', 'aaaaaaaa'),
  ArrayContains: of((o) => v.ArrayContains([1], o), [1, 2], [2]),
  ArrayNotContains: of((o) => v.ArrayNotContains([1], o), [2], [1, 2]),
  ArrayNotEmpty: of((o) => v.ArrayNotEmpty(o), [1], []),
  ArrayMinSize: of((o) => v.ArrayMinSize(2, o), [1, 2], [1]),
  ArrayMaxSize: of((o) => v.ArrayMaxSize(1, o), [1], [1, 2]),
  ArrayUnique: of((o) => v.ArrayUnique((item) => item.id, o), [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 1 }]),
  IsInstance: of((o) => v.IsInstance(Item, o), { name: 'a' }, 'a', Item),
  ValidateBy: of((o) => v.ValidateBy(isEven, o), 2, 3),
};
