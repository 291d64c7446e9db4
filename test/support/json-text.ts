import fc from 'fast-check'
import type {Fields} from '../../src/contract/base/grammar.js'

const uses = ['read'] as const

/** A resource with one of everything that the contract knows. */
export const small: Fields = {
  id: {kind: 'text', uses, about: 'Id.'},
  name: {kind: 'text', uses, about: 'Name.'},
  isActive: {kind: 'boolean', uses, about: 'Flag.'},
  lines: {
    kind: 'list',
    uses,
    about: 'Lines.',
    fields: {
      id: {kind: 'integer', uses, about: 'Id.'},
      note: {kind: 'text', uses, about: 'Note.'},
      more: {kind: 'object', uses, about: 'More.', fields: {deep: {kind: 'text', uses, about: 'Deep.'}}},
    },
  },
  contact: {
    kind: 'object',
    uses,
    about: 'Contact.',
    fields: {
      phone: {kind: 'text', uses, about: 'Phone.'},
      home: {kind: 'object', uses, about: 'Home.', fields: {street: {kind: 'text', uses, about: 'Street.'}}},
    },
  },
  tags: {kind: 'list', uses, about: 'Tags.'},
  total: {kind: 'decimal', uses, about: 'Total.'},
}

const blanks = fc.constantFrom('', '', '', '', '', '', '', '', '', ' ', '\n', '\r\n', '\t', '  \n ')
const units = fc.oneof(
  {weight: 6, arbitrary: fc.constantFrom('a', 'B7', ' ', 'é', '日本', '😀', 'x'.repeat(40), '0', "'", '=1+1', '-2')},
  {
    weight: 2,
    arbitrary: fc.constantFrom(',', ';', '|', '\t', '.', '-', '=', '@', '\uff1d', '\u2028', '\ufeff', '\u007f'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('"', '\\', '\n', '\r', '\u0000', '\u0001', '\ud83d', '\ude00', '\u0000' + '7'),
  },
  {weight: 1, arbitrary: fc.string({unit: 'binary', maxLength: 4})},
)
const texts = fc.array(units, {maxLength: 4}).map((parts) => parts.join(''))

/** A text as JSON, some of its characters written as escapes that need not be. */
const textJson = fc.tuple(texts, fc.constantFrom('plain', 'plain', 'plain', 'hex', 'slash')).map(([text, way]) => {
  if (way === 'hex') return `"${[...Array(text.length).keys()].map((at) => hex(text, at)).join('')}"`
  return way === 'slash' ? JSON.stringify(text).replaceAll('a', '\\/') : JSON.stringify(text)
})
const numberJson = fc.oneof(
  fc.constantFrom('0', '-0', '10.10', '1.50', '9007199254740993', '1e400', '1E5', '-2.5e-7', '0.0000001', '100', '-17'),
  fc.constantFrom('12345678901', '-1234567890', '123456789012', '123456789012345', '1234567890123456', '5.0', '2e3'),
  fc.double({noNaN: true, noDefaultInfinity: true}).map((value) => JSON.stringify(value)),
  fc.bigInt().map(String),
)
const times = fc.constantFrom(
  ...['2024-07-30T18:07:05.470', '2024-07-30T18:07:05', '2024-07-30T18:07', '2024-02-30T18:07:05', '2024-07-30'],
  ...['2024-07-30T18:07:05.4701', '1899-12-31T00:00:00.000', '2024-07-30T24:00:00', '2024-07-30T18:07:05.470Z'],
)
const scalars = fc.oneof(
  {weight: 1, arbitrary: times.map((text) => JSON.stringify(text))},
  {weight: 4, arbitrary: textJson},
  {weight: 3, arbitrary: numberJson},
  {weight: 2, arbitrary: fc.constantFrom('null', 'true', 'false', '""')},
)

const oddNames = [
  ...['__proto__', 'constructor', '0', '17', '', 'a.b', 'Id', 'ID', 'NAME', 'line', 'Line', 'Lines', 'LINES'],
]
const moreNames = ['zip', 'extra', 'Contact', 'Phone', 'phone', 'lineOfBatch', 'größe', 'id', 'lines', '\u0000', 'x"y']
const nameJson = fc
  .constantFrom(...oddNames, ...moreNames)
  .chain((name) =>
    fc.constantFrom(
      JSON.stringify(name),
      JSON.stringify(name),
      `"${[...Array(name.length).keys()].map((at) => hex(name, at)).join('')}"`,
    ),
  )

const {value: anyValue} = fc.letrec<{value: string}>((tie) => ({
  value: fc.oneof(
    {maxDepth: 3, depthSize: 'small'},
    {weight: 5, arbitrary: scalars},
    {weight: 1, arbitrary: fc.array(fc.tuple(nameJson, tie('value')), {maxLength: 3}).chain(toObject)},
    {weight: 1, arbitrary: fc.array(tie('value'), {maxLength: 3}).chain((values) => toList(values))},
  ),
}))

const someScalar = fc.option(fc.oneof({weight: 9, arbitrary: scalars}, {weight: 1, arbitrary: anyValue}), {freq: 9})
const someObject = (fields: Record<string, fc.Arbitrary<string | null>>) =>
  fc.oneof(
    {weight: 6, arbitrary: anyObject(fields)},
    {weight: 2, arbitrary: fc.constant('null')},
    {weight: 1, arbitrary: fc.constantFrom('{}', '5', '"x"', '[]')},
    {weight: 1, arbitrary: fc.constant(null)},
  )
const line = someObject({id: someScalar, note: someScalar, more: someObject({deep: someScalar})})
const lines = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(line, {maxLength: 4}).chain((values) => toList(values.map((value) => value ?? '{}'))),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('null', '[]', '[1]', '{"id":1}', '"none"', '[{},[]]', '[null]', '[{"id":[]}]'),
  },
  {weight: 1, arbitrary: fc.constant(null)},
)

/** A record of `small` as JSON text: fields missing, more, twice, in other order, in other case. */
const anyRecord = anyObject({
  id: someScalar,
  name: someScalar,
  isActive: fc.option(fc.constantFrom('true', 'false', 'null')),
  lines,
  contact: someObject({phone: someScalar, home: someObject({street: someScalar})}),
  tags: fc.option(anyValue, {freq: 1}),
  total: fc.option(numberJson),
})

/** An answer as text. */
export const anyPage = pageOf(anyRecord)

/** The same of a resource whose fields hold no lists and no objects. */
export function anyFlatPage(fields: Fields): fc.Arbitrary<string> {
  return pageOf(anyObject(Object.fromEntries(Object.keys(fields).map((name) => [name, someScalar]))))
}

function pageOf(record: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.oneof(
        {weight: 15, arbitrary: fc.array(record, {maxLength: 5}).chain((records) => toList(records))},
        {weight: 1, arbitrary: fc.array(anyValue, {maxLength: 3}).chain((values) => toList(values))},
      ),
      blanks,
      fc.constantFrom('', '', '', '', '', '\ufeff'),
    )
    .map(([list, blank, mark]) => `${mark}${blank}${list}${blank}`)
}

export type Flaw = (page: Buffer) => Buffer

/** Ways to break an answer; a few leave it whole. */
export const flawed: fc.Arbitrary<Flaw> = fc
  .tuple(fc.constantFrom('cut', 'drop', 'insert', 'replace', 'append'), fc.double({min: 0, max: 1, noNaN: true}))
  .chain(([way, where]) =>
    fc.constantFrom(...Buffer.from('"\\,:{}[]01-+.eEtnu \n\u0001x'), 0xff, 0xc3, 0xed).map((byte) => (page: Buffer) => {
      const at = Math.floor(where * page.length)
      if (way === 'cut') return page.subarray(0, at)
      if (way === 'append') return Buffer.concat([page, Buffer.of(byte)])
      const middle = way === 'drop' ? [] : [byte]
      return Buffer.concat([page.subarray(0, at), Buffer.of(...middle), page.subarray(way === 'insert' ? at : at + 1)])
    }),
  )

/** An object of these fields (null leaves one out), mostly in order and compact, sometimes with others and twice. */
function anyObject(fields: Record<string, fc.Arbitrary<string | null>>): fc.Arbitrary<string> {
  const members = fc
    .record(fields)
    .map((made) =>
      Object.entries(made).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[JSON.stringify(name), value]] : [],
      ),
    )
  const more = fc.oneof(
    {weight: 6, arbitrary: fc.constant<[string, string][]>([])},
    {weight: 2, arbitrary: fc.array(fc.tuple(nameJson, anyValue), {maxLength: 2})},
  )
  const mixed = fc.tuple(members, more).map(([one, other]): [string, string][] => [...one, ...other])
  return fc
    .oneof(
      {weight: 5, arbitrary: mixed},
      {weight: 1, arbitrary: mixed.chain((all) => fc.shuffledSubarray(all, {minLength: all.length}))},
    )
    .chain(toObject)
}

function toObject(members: [string, string][]): fc.Arbitrary<string> {
  return fc.oneof({weight: 4, arbitrary: fc.constant('')}, {weight: 1, arbitrary: blanks}).map((blank) => {
    const inner = members.map(([name, value]) => `${blank}${name}${blank}:${blank}${value}${blank}`).join(',')
    return `{${inner === '' ? blank : inner}}`
  })
}

function toList(values: string[]): fc.Arbitrary<string> {
  return blanks.map((blank) => `[${values.map((value) => `${blank}${value}`).join(`${blank},`)}${blank}]`)
}

function hex(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
}
