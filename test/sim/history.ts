import {playExports} from './acts/exports.js'
import {playPublished, playWrites, type Wrong} from './acts/writes.js'
import {openWorld, type Workshop, type World, type WorldOptions} from './world.js'

export type Act = (world: World, wrong: Wrong) => Promise<void>

/** What can happen in a history, by the names that `--acts` takes. */
export const acts = {writes: playWrites, published: playPublished, exports: playExports} as const satisfies Record<
  string,
  Act
>
export type ActName = keyof typeof acts

export type Played = {
  seed: number
  act: ActName
  wrong: string[]
  lives: number
  kills: number
  faults: Record<string, number>
  faultIds: string[]
}

/** The history of a seed, from its world to the last of its invariants. */
export async function play(
  workshop: Workshop,
  {names, isKept = false, ...options}: WorldOptions & {names: readonly ActName[]; isKept?: boolean},
): Promise<Played> {
  const {seed} = options
  const act = names[seed % names.length] ?? 'writes'
  const world = openWorld(workshop, {...options, by: act === 'published' ? 'published' : 'sandbox'})
  const wrong: string[] = []
  try {
    await acts[act](world, (text) => {
      wrong.push(text)
      world.trace(`WRONG: ${text}`)
    })
    await world.pass(200_000) // whatever is still under way arrives
    if (world.service.refusedForSpeed > 0) wrong.push(`${world.service.refusedForSpeed} requests were too fast`)
  } catch (error) {
    wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    world.close(isKept)
  }
  const {lives, kills, faults, faultIds} = world
  return {seed, act, wrong, lives, kills, faults, faultIds}
}
