import fc from 'fast-check'
import {type JsonRecord, type JsonValue, parseJson} from '../../src/values/json.js'

/** Texts that some program on the way from a list to a spreadsheet and back takes for something else; NUL is in no text file. */
const nastyTexts = [
  ...['', ' ', ' lead', 'trail ', '=1+1', "'=1+1", "''=1+1", '=HYPERLINK("http://x.example","y")', '+49'],
  ...['+49 30 1234', '-5', "'-5", '-a', '@x', "'@x", "'", "''", "'5", "'text", '\tx', "'\tx", '＝1', '\rx'],
  ...['\nx', 'a\nb', 'a\r\nb', 'a\rb', '"', '""', 'a"b', 'a,b;c|d\te', 'sep=;', '😀', '👨‍👩‍👧', 'e\u0301', 'é'],
  ...['שלום \u202eabc', 'a\u200bb', '\ufeffx', 'x\u00a0y', 'a\u0007b', 'x\u001fy', 'x\ufffey', '\ud800'],
  ...['a\udc00b', '\\N', '\\', '\\n', '00123', '0', '1.23E+15', '1E5', '123456789012345678901234567890'],
  ...['10.10', '1,5', '1.250', '3-Jan', 'Jan-24', '03/04/2024', '2024-07-30', '2024-07-30 18:07:05', '12:30'],
  ...['45503', 'TRUE', 'true', 'false', 'WAHR', 'null', 'NULL', 'NaN', '#REF!', '#N/A', '_x0041_', '_x000D_'],
  ...['_X0041_', '__x0041__', '="00123"', '<b>&amp;</b>', ']]>', '{"a":1}', '[1]', '#comment', 'CafÃ©'],
  ...['â€œxâ€\u009d', 'Net 30', '1-2', '50%', '$5'],
]

/** Any text: one of the nasty ones, two of them together, or random letters. */
function nastyText(maxLength?: number): fc.Arbitrary<string> {
  const known = fc.constantFrom(...nastyTexts)
  const texts = fc.oneof(
    {weight: 6, arbitrary: known},
    {weight: 2, arbitrary: fc.tuple(known, known).map(([one, other]) => one + other)},
    {weight: 1, arbitrary: fc.string({unit: 'binary', maxLength: 30}).map((text) => text.replaceAll('\0', ''))},
    {weight: 1, arbitrary: fc.string({unit: 'grapheme', maxLength: 30})},
  )
  return maxLength === undefined ? texts : texts.map((text) => text.slice(0, maxLength))
}

/** Numbers as JSON writes them, digits kept. */
const nastyNumber: fc.Arbitrary<JsonValue> = fc
  .constantFrom(
    ...['0', '-0', '5', '-5', '10.10', '1e3', '0.1', '1234567890123456789', '123456789012345', '1.23E+15'],
    '1e-7',
  )
  .map(parseJson)

/** A field that the contract does not know. */
const nastyValue: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  nastyNumber,
  nastyText(),
  fc.array(nastyText(), {maxLength: 3}),
)

/** What a site holds beside its id; `strange` adds what breaks the contract and what it does not know. */
export function nastySite({strange}: {strange: boolean}): fc.Arbitrary<JsonRecord> {
  const text = (maxLength: number) => fc.option(nastyText(strange ? undefined : maxLength), {nil: null})
  const part = fc.option(nastyText(), {nil: null})
  const contact = fc.option(
    fc.record({firstName: part, lastName: part, telephoneNumber: part, emailAddress: part}, {requiredKeys: []}),
    {nil: null},
  )
  const usual = fc.record({
    name: nastyText(60),
    contact: contact as fc.Arbitrary<JsonValue>,
    commissionPercentage: fc.constantFrom(null, 0, 5),
    isActive: fc.boolean(),
    timeZone: text(50),
    maxChargePrice: fc.constantFrom(0, 500, 999_999_999_999_999),
    billingAddress: text(300),
    shippingAddress: text(300),
    commissionTerms: fc.constantFrom('PrePaid', 'Net30'),
    externalAccountTerminalId: text(50),
    chargeKeyId: fc.constantFrom(null, 1, parseJson('12345678901234567890')),
  }) as fc.Arbitrary<JsonRecord>
  if (!strange) return usual
  const odd = fc.record(
    {
      commissionTerms: fc.constantFrom('Net90', 'net30', ' Net30', ''),
      maxChargePrice: fc.constantFrom(null, -5, parseJson('-0'), parseJson('10.10'), 'five'),
      isActive: fc.constant(null),
      billingAddress: fc.constantFrom('x'.repeat(301), 'x'.repeat(32_767), `'=${'x'.repeat(400)}`),
      newField: nastyValue,
      'dotted.name': nastyValue,
      nested: fc.record({inner: nastyValue, list: fc.array(fc.record({a: nastyValue}), {maxLength: 2})}),
    },
    {requiredKeys: []},
  ) as fc.Arbitrary<JsonRecord>
  return fc.tuple(usual, odd).map(([one, other]) => ({...one, ...other}))
}

/** What an alert holds beside its id and when it was raised. */
export function nastyAlert({strange}: {strange: boolean}): fc.Arbitrary<JsonRecord> {
  const cleared = fc.constantFrom(
    '2024-07-30T18:07:05',
    '2024-07-30T18:07:05.5',
    '2024-07-30T18:07:05.123',
    ...(strange ? ['2024-07-30T18:07:05.1234567', '2024-07-30 18:07:05', '2024-07-30T18:07:05Z', ''] : []),
  )
  const usual = fc.record({
    message: nastyText(),
    machineLocation: fc.option(nastyText(), {nil: null}),
    alertMetadata: fc.option(fc.record({key: nastyText(), value: nastyText()}), {nil: null}),
  })
  const state = fc.oneof(
    fc.constant({isCleared: false, clearedAt: null, clearedAtServerTime: null}),
    cleared.map((clearedAt) => ({isCleared: true, clearedAt, clearedAtServerTime: clearedAt})),
  )
  const odd = fc.record(
    {message: fc.constantFrom(null, 5, 'x'.repeat(32_767)), newField: nastyValue},
    {requiredKeys: []},
  )
  const all = fc.tuple(usual, state, strange ? odd : fc.constant({}))
  return all.map(([one, two, three]): JsonRecord => ({...one, ...two, ...three}) as JsonRecord)
}
