import {TextDecoder} from 'node:util'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'

import {repairMojibake} from '../../src/validate/spreadsheet-damage.js'

/** As a stream, because older Nodes take Windows-1252 for Latin-1 otherwise. */
const misread = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text), {stream: true})

describe('UTF-8 that was read as Windows-1252', () => {
  test.each(['Café', 'Österreich', 'l’été – “oui”…', 'Łódź', '10 €', 'Привет', 'À', 'a ☕', '😀 ok'])(
    '%s is found again',
    (text) => {
      expect(repairMojibake(misread(text))).toEqual({text, isProven: true})
    },
  )

  test('every western text is', () => {
    const letters = fc.constantFrom(...Array.from('aeioun sté éèàçöäüßñÉÈÀÇÖÄÜ'))
    const texts = fc.array(letters, {minLength: 1, maxLength: 20}).map((each) => each.join(''))

    fc.assert(
      fc.property(texts, (text) => {
        const repaired = repairMojibake(misread(text))
        expect(repaired?.text ?? text).toBe(text)
      }),
    )
  })
})

describe('what was read right', () => {
  test.each(['', 'Café', 'Ångström', 'São Paulo', 'voilà', '“GRÅ”', 'Ã', 'naïve façade', '20 °C ± 1', '€ 5 – 7 €'])(
    '%s stays',
    (text) => {
      expect(repairMojibake(text)?.isProven ? 'changed' : 'kept').toBe('kept')
    },
  )

  test('a capital before a quotation mark proves nothing', () => {
    expect(repairMojibake('GRÅ’S')).toEqual({text: 'GRŒS', isProven: false})
  })
})
