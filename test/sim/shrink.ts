import {inspect} from 'node:util'
import {type Case, type Played, play} from './history.js'
import type {Workshop} from './world.js'

const mostTries = 400
/** What a sentence says beyond its rows and numbers. */
const wayOf = (text: string) => (text.split('\n')[0] ?? '').replace(/\d+/g, '').split(': ').at(-1) ?? ''
const isTelling = / vendorctl |killed: |stopped | exit \d|SIG|E(NOSPC|IO): |\(.+\)$|WRONG|power cut|clock|boot/

/** A shorter history that fails in the same way: fewer faults, then simpler choices, then fewer faults again. */
async function shrink(workshop: Workshop, played: Played): Promise<Played> {
  const ways = new Set(played.wrong.map(wayOf))
  let best = {...played, case: {...played.case, only: played.faultIds}}
  let tries = 0
  const stillFails = async (changed: Partial<Case>) => {
    if (++tries > mostTries) return false
    const found = await play(workshop, {...best.case, ...changed})
    if (!found.wrong.some((text) => ways.has(wayOf(text)))) return false
    best = {...found, case: {...found.case, only: found.faultIds}}
    return true
  }
  await dropFaults()
  await simplify()
  await dropFaults()
  return best

  async function dropFaults(): Promise<void> {
    for (let size = best.faultIds.length; size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
      for (let at = 0; at < best.faultIds.length; ) {
        const only = best.faultIds.toSpliced(at, size)
        if (!(await stillFails({only}))) at += size
      }
    }
  }

  async function simplify(): Promise<void> {
    for (const [name, {answer, simplest}] of Object.entries(best.asked)) {
      if (answer === simplest) continue
      const fix = (value: number | boolean) => stillFails({fixed: {...best.case.fixed, [name]: value}})
      if ((await fix(simplest)) || typeof answer !== 'number') continue
      for (let low = Number(simplest), high = answer; high - low > 1; ) {
        const middle = Math.floor((low + high) / 2)
        if (await fix(middle)) high = middle
        else low = middle
      }
    }
  }
}

/** The shortest history in words, and the line that repeats it for as long as it is in `regressions.ts`. */
export async function tellShortest(workshop: Workshop, played: Played): Promise<string> {
  const {case: one, wrong} = await shrink(workshop, played)
  const told: string[] = []
  await play(workshop, one, {onTrace: (line) => void (isTelling.test(line) && told.push(line))})
  const story = told.map((line) => `  ${line.replaceAll('\n', ' ').slice(0, 200)}`)
  const header = `seed ${one.seed} (${one.act}): the shortest history found that fails like this:`
  const paste = `To repeat it with every gate, put this line into test/sim/regressions.ts:\n  ${inspect(one, {depth: null, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: null})},`
  return [header, ...story, ...wrong.map((text) => `  ${text.split('\n')[0]}`), paste, ''].join('\n')
}
