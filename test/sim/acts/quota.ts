import type {World} from '../world.js'
import {shareStore} from './exports.js'
import {countSeen} from './judges.js'
import {between, faultsOf} from './writes.js'

/** Each record is a page, so that a few reads at the same time want more than the service takes in a moment. */
const read = ['machines', 'list', '--page-size', '1', '-o', 'ndjson']

/** Longest time that a request is under way before the service sees it. */
const latest = 200_000

/** Reads at the same time, of one machine or two, with a day that is soon used up: none is refused for its speed. */
export async function playQuota(world: World): Promise<void> {
  const {choices, machines, sandbox, rules, wrong} = world
  let most = Infinity // requests, once the service has said that the day is used up
  const all = sandbox.core.store.read('machine').length
  const perDay = choices.integer('per day', 100, 400)
  world.shared['VENDORCTL_DAILY_QUOTA'] = String(perDay)
  if (choices.chance('shared', 0.1)) await shareStore(world)
  for (let round = 1; round <= choices.integer('rounds', 2, 4); round++) {
    world.enter(`round ${round}`, choices.of(`trouble ${round}`)() * 0.1)
    const lives = Array.from({length: choices.integer(`lives ${round}`, 1, 4)}, (_, at) =>
      world.start(read, faultsOf(world, `${at} of round ${round}`), {on: machines[at % machines.length]}),
    )
    rules.isDaySpent = choices.chance(`spent ${round}`, 0.1)
    for (const life of lives) {
      const {exitCode, stdout} = await world.end(life)
      if (rules.isDaySpent && exitCode === 8 && machines.length === 1) {
        await world.pass(latest)
        most = countSeen(world)
      }
      const {length} = stdout.split('\n').filter(Boolean)
      if (exitCode === 0 ? length !== all : length > all) wrong(`exit ${exitCode}: ${length} of ${all} machines`)
    }
    rules.isDaySpent = false
    if (countSeen(world) > most) wrong('requests were sent on a day that is used up')
    await between(world, round)
  }
  const seen = countSeen(world)
  if (seen > perDay) wrong(`the service saw ${seen} requests, and ${perDay} a day were allowed`)
}
