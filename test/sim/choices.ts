import {createHash} from 'node:crypto'
import {createRandom, pick, pickInteger, type Random} from '../../src/sandbox/seed/random.js'

/** Answers that are given in place of what the seed says, by the name of the choice. */
export type Fixed = Readonly<Record<string, number | boolean>>

/** Chances of one seed. Each is asked for by a name, so that leaving one out changes no other. */
export type Choices = {
  /** Numbers that depend on the seed and this name alone. */
  of(name: string): Random
  chance(name: string, probability: number): boolean
  integer(name: string, low: number, high: number): number
  one<Value>(name: string, values: readonly [Value, ...Value[]]): Value
  /** What was answered, and the simplest answer that would have been possible. */
  asked: Record<string, {answer: number | boolean; simplest: number | boolean}>
}

export function createChoices(seed: number, fixed: Fixed = {}): Choices {
  const of = (name: string) => createRandom(createHash('md5').update(`${seed} ${name}`).digest().readUInt32LE())
  const asked: Choices['asked'] = {}
  const note = <Answer extends number | boolean>(name: string, own: Answer, simplest: Answer): Answer => {
    const answer = (fixed[name] as Answer | undefined) ?? own
    asked[name] = {answer, simplest}
    return answer
  }
  return {
    of,
    asked,
    chance: (name, probability) => note<boolean>(name, of(name)() < probability, false),
    integer: (name, low, high) => note<number>(name, pickInteger(of(name), low, high), low),
    one: (name, values) => pick(of(name), values),
  }
}
