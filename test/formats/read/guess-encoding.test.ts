import {describe, expect, test} from 'vitest'
import {readRows} from '../../../src/formats/read/read-rows.js'
import {looksLikeWindows1252} from '../../../src/formats/read/read-text.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'

const files = useInputFiles()

test.each([
  ['Café', Buffer.from('Caf\xe9', 'latin1'), true],
  ['curly quotes and a euro', Buffer.from([0x93, 0x61, 0x94, 0x20, 0x80]), true],
  ['plain ASCII', Buffer.from('plain'), false],
  ['a Cyrillic word', Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0]), false],
  ['an é of MS-DOS', Buffer.from([0x43, 0x61, 0x66, 0x82]), false],
])('%s', (_name, bytes, expected) => {
  expect(looksLikeWindows1252(bytes)).toBe(expected)
})

describe('a file that is not UTF-8 says what helps', () => {
  test.each([
    [
      'Windows-1252',
      Buffer.from('a\nok\nCaf\xe9 5 \x80\n', 'latin1'),
      'looks like Windows-1252: "Café 5 €"',
      '--encoding windows-1252',
    ],
    [
      'another encoding',
      Buffer.from([0x61, 0x0a, 0xcc, 0xee, 0xf1, 0xea, 0xe2, 0x0a]),
      'not UTF-8',
      '--encoding shift_jis',
    ],
    ['UTF-16 LE without mark', Buffer.from('a,b\n', 'utf16le'), 'NUL byte', '--encoding utf-16le'],
    ['UTF-16 LE with an ü', Buffer.from('a,b\nü,é\n', 'utf16le'), 'NUL byte', '--encoding utf-16le'],
    ['UTF-16 BE without mark', Buffer.from('a,b\n', 'utf16le').swap16(), 'NUL byte', '--encoding utf-16be'],
    ['bytes of no text', Buffer.from('a,b\n\0\x01\x07c\n'), 'NUL byte', 'Save it as an xlsx workbook'],
  ])('%s', async (_name, bytes, message, hint) => {
    const path = await files.write('text.csv', bytes)

    const failure = await failureOf(readRows(path))

    expect(failure.entries[0]?.message).toContain(message)
    expect(failure.hints.join()).toContain(hint)
  })
})
