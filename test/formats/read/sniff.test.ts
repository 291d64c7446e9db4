import {expect, test} from 'vitest'
import {sniffDelimiter} from '../../../src/formats/read/read-csv.js'
import {findNamedDelimiter, sniffFormat} from '../../../src/formats/read/sniff.js'

test.each([
  ['sites.csv', '[', 'csv'],
  ['SITES.CSV', '', 'csv'],
  ['sites.tsv', '', 'tsv'],
  ['sites.tab', '', 'tsv'],
  ['sites.json', '{"a":1}\n{"a":2}', 'json'],
  ['sites.jsonl', '', 'ndjson'],
  ['-', '  [{}]', 'json'],
  ['-', '{"a":1}', 'ndjson'],
  ['sites.txt', 'a,b', 'csv'],
  ['sites', '', 'csv'],
] as const)('the format of %s that begins with %j', (path, head, format) => {
  expect(sniffFormat(path, head)).toBe(format)
})

test.each([
  ['a,b\n1,2\n', ','],
  ['a;b;c\n1,5;2,5;3,5\n', ';'],
  ['a\tb\n"x, y"\t2\n', '\t'],
  ['a|b\n1|2', '|'],
  ['"a;b;c;d",e\n1,2\n', ','],
  ['name\none; two\n', ','],
  ['naïve;prix €\n"é, è";1\n2;"open, open', ';'],
  ['a;b\n1;"x\n,,,"\n', ';'],
  ['name;note\nA;one, two\nB;three\n', ';'],
  ['', ','],
  ['name', ','],
])('the delimiter of %j is %j', (head, delimiter) => {
  expect(sniffDelimiter(head)).toBe(delimiter)
})

test.each([
  ['sep=;\r\na;b', ';'],
  ['SEP=\t\na\tb', '\t'],
  ['sep=,', ','],
  ['separator=;\n', undefined],
  ['a,b\nsep=;', undefined],
])('the delimiter that %j names is %j', (head, delimiter) => {
  expect(findNamedDelimiter(head)).toBe(delimiter)
})
