import {createHash} from 'node:crypto'
import {createRandom, pick, pickInteger, type Random} from '../../src/sandbox/seed/random.js'

/** Answers that are given in place of what the seed says, by the name of the choice. */
export type Fixed = Readonly<Record<string, number | boolean>>
/** What was answered, and the simplest answer that would have been possible. */
export type Asked = Record<string, {answer: number | boolean; simplest: number | boolean}>

export type Choices = ReturnType<typeof createChoices>

/** Chances of one seed. Each is asked for by a name, so that leaving one out changes no other. */
export function createChoices(seed: number, fixed: Fixed = {}) {
  const of = (name: string): Random => createRandom(createHash('md5').update(`${seed} ${name}`).digest().readUInt32LE())
  const asked: Asked = {}
  const note = <Answer extends number | boolean>(name: string, own: Answer, simplest: Answer): Answer => {
    const answer = (fixed[name] as Answer | undefined) ?? own
    asked[name] = {answer, simplest}
    return answer
  }
  return {
    of,
    asked,
    chance: (name: string, probability: number) => note<boolean>(name, of(name)() < probability, false),
    integer: (name: string, low: number, high: number) => note<number>(name, pickInteger(of(name), low, high), low),
    one: <Value>(name: string, values: readonly [Value, ...Value[]]) => pick(of(name), values),
  }
}
