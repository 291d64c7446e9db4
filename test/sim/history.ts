import {playExports, playShared} from './acts/exports.js'
import {playFiles} from './acts/files.js'
import {playJobs} from './acts/jobs.js'
import {judgeCount, judgeDisk} from './acts/judge-all.js'
import {playMachines} from './acts/machines.js'
import {playOldState} from './acts/old-state.js'
import {playQuota} from './acts/quota.js'
import {playSync} from './acts/sync.js'
import {playPublished, playWrites, type Wrong} from './acts/writes.js'
import type {Asked, Fixed} from './choices.js'
import {openWorld, type Workshop, type World} from './world.js'

export type Act = (world: World, wrong: Wrong) => Promise<void>

/** What can happen in a history, by the names that `--acts` takes, and how many of 25 histories play it. */
export const acts = {
  writes: {play: playWrites, share: 9},
  published: {play: playPublished, share: 2},
  files: {play: playFiles, share: 2},
  exports: {play: playExports, share: 4},
  jobs: {play: playJobs, share: 1},
  sync: {play: playSync, share: 1},
  old: {play: playOldState, share: 2},
  machines: {play: playMachines, share: 2},
  shared: {play: playShared, share: 1},
  quota: {play: playQuota, share: 1},
} as const satisfies Record<string, {play: Act; share: number}>
export type ActName = keyof typeof acts

/** One history: a seed and an act; a shorter one of it has only these faults, and other answers to some choices. */
export type Case = {seed: number; act: ActName; only?: readonly string[]; fixed?: Fixed}

export type Played = {
  case: Case
  wrong: string[]
  lives: number
  kills: number
  faults: Record<string, number>
  faultIds: string[]
  asked: Asked
}

/** The histories of these seeds; each act is played early, and as often as its share says. */
export function toCases(seeds: readonly number[], names: readonly ActName[]): Case[] {
  const cycle = Array.from({length: 9}, (_, round) => names.filter((name) => acts[name].share > round)).flat()
  return seeds.map((seed) => ({seed, act: cycle[seed % cycle.length] ?? 'writes'}))
}

type Watched = {onTrace?: ((text: string) => void) | undefined; isKept?: boolean | undefined}

/** A history from its world to the last of its invariants. */
export async function play(workshop: Workshop, one: Case, {onTrace, isKept = false}: Watched = {}): Promise<Played> {
  const by = one.act === 'published' ? 'published' : 'sandbox'
  const world = openWorld(workshop, {...one, by, onTrace})
  const wrong: string[] = []
  const tell = (text: string) => void wrong.push(text)
  try {
    await acts[one.act].play(world, (text) => {
      tell(text)
      world.trace(`WRONG: ${text}`)
    })
    await world.pass(200_000) // whatever is still under way arrives
    world.rules.trouble = 0
    judgeDisk(world, tell)
    await judgeCount(world, tell)
    const isAlone = 'disk full' in world.faults || 'disk fails' in world.faults // a ledger that cannot be written is not shared
    if (world.service.refusedForSpeed > 0 && !isAlone) tell(`${world.service.refusedForSpeed} requests were too fast`)
    if (world.tokens.given > mostTokens(world)) tell(`${world.tokens.given} logins where fewer would have done`)
  } catch (error) {
    tell(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    world.close(isKept)
  }
  const {lives, kills, faults, faultIds, choices} = world
  return {case: one, wrong, lives, kills, faults, faultIds: [...faultIds], asked: choices.asked}
}

/** One login a machine, one for each token that was refused, and one for each that may have been lost with a life or waited for in vain. */
function mostTokens({tokens, faults}: World): number {
  const losing = ['kill', 'signal', 'power cut', 'boot', 'disk full', 'disk fails', 'silent', 'slow']
  return losing.reduce((sum, kind) => sum + (faults[kind] ?? 0), tokens.hosts.size + tokens.refused)
}
