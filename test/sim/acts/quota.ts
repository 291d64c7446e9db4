import {clearStore} from '../store.js'
import type {World} from '../world.js'
import {sharing} from './exports.js'
import {between, faultsOf, type Wrong} from './writes.js'

/** Each record is a page, so that a few reads at the same time want more than the service takes in a moment. */
const read = ['machines', 'list', '--page-size', '1', '-o', 'ndjson']

/** Reads at the same time, of one machine or two, with a day that is soon used up: none is refused for its speed. */
export async function playQuota(world: World, wrong: Wrong): Promise<void> {
  const {choices, rules, machines, service, faults} = world
  const perDay = choices.integer('per day', 100, 400)
  world.shared = {VENDORCTL_DAILY_QUOTA: String(perDay)}
  if (choices.chance('shared', 0.1)) {
    await clearStore()
    Object.assign(world.shared, sharing)
    world.join('depot')
  }
  for (let round = 1; round <= choices.integer('rounds', 2, 4); round++) {
    rules.trouble = choices.of(`trouble ${round}`)() * 0.1
    world.enter(`round ${round}`)
    const count = choices.integer(`lives ${round}`, 1, 4)
    const lives = Array.from({length: count}, (_, at) => {
      const on = machines[at % machines.length] ?? world.machine
      return world.start(read, faultsOf(world, `${at} of round ${round}`), {on})
    })
    for (const life of lives) {
      const {exitCode, stderr} = await world.end(life)
      if (exitCode === 1) wrong(`exit 1: ${stderr.slice(0, 600)}`)
    }
    await between(world, round)
  }
  const seen = [...service.seen.values()].reduce((sum, one) => sum + one, 0)
  const isKnown = !Object.keys(faults).some((kind) => /^(power|disk|clock|boot)/.test(kind))
  if (isKnown && seen > perDay) wrong(`the service saw ${seen} requests, and ${perDay} a day were allowed`)
}
