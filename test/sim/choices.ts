import {createHash} from 'node:crypto'
import {createRandom, pick, pickInteger, type Random} from '../../src/sandbox/seed/random.js'

/** Chances of one seed. Each is asked for by a name, so that leaving one out changes no other. */
export type Choices = {
  /** Numbers that depend on the seed and this name alone. */
  of(name: string): Random
  chance(name: string, probability: number): boolean
  integer(name: string, low: number, high: number): number
  one<Value>(name: string, values: readonly [Value, ...Value[]]): Value
}

export function createChoices(seed: number): Choices {
  const of = (name: string) => createRandom(createHash('md5').update(`${seed} ${name}`).digest().readUInt32LE())
  return {
    of,
    chance: (name, probability) => of(name)() < probability,
    integer: (name, low, high) => pickInteger(of(name), low, high),
    one: (name, values) => pick(of(name), values),
  }
}
