import fc from 'fast-check'
import {expect, test} from 'vitest'
import {MadeList, PickedList} from '../../src/values/list.js'

class Counted extends MadeList<string> {
  readonly length: number

  constructor(length: number) {
    super()
    this.length = length
  }

  at(place: number): string | undefined {
    return place >= 0 && place < this.length ? `item ${place}` : undefined
  }
}

test('a list whose items are made is read as an array is', () => {
  const bound = fc.option(fc.nat(9), {nil: undefined})

  fc.assert(
    fc.property(fc.nat(8), fc.nat(8), bound, bound, (length, chosen, start, end) => {
      const list = new Counted(length)
      const array = Array.from({length}, (_, place) => `item ${place}`)
      const places = array.map((_, place) => place).filter((place) => place !== chosen)
      const isOne = (item: string, place: number) => item === `item ${chosen}` && place === chosen
      const isOther = (item: string, place: number) => !isOne(item, place)
      const toTexts = (item: string, place: number) => (place === chosen ? [] : [item, `${place}`])

      expect([...list]).toEqual(array)
      expect(list.map((item, place) => `${place} ${item}`)).toEqual(array.map((item, place) => `${place} ${item}`))
      expect(list.flatMap(toTexts)).toEqual(array.flatMap(toTexts))
      expect(list.filter(isOne)).toEqual(array.filter(isOne))
      expect([list.some(isOne), list.every(isOther)]).toEqual([array.some(isOne), array.every(isOther)])
      expect(list.slice(start, end)).toEqual(array.slice(start, end))
      expect([...new PickedList(list, places)]).toEqual(array.filter(isOther))
      expect(new PickedList(list, places).at(length)).toBeUndefined()
    }),
  )
})
