import {readdirSync} from 'node:fs'
import type {World} from '../world.js'
import {hour, shareStore} from './exports.js'
import {countSeen} from './judges.js'
import {between, faultsOf} from './writes.js'

/** Each record is a page, so that a few reads at the same time want more than the service takes in a moment. */
const read = ['machines', 'list', '--page-size', '1', '-o', 'ndjson']
const ledgers = 'state/vendorctl/ledgers'
/** Longest time that a request is under way before the service sees it. */
const latest = 200_000

/** Reads at the same time, of one machine or two, with a day that is soon used up: none is refused for its speed. */
export async function playQuota(world: World): Promise<void> {
  const {choices, machines, sandbox, rules, wrong} = world
  let most = Infinity // requests, once the service has said that the day is used up
  let isFresh = false // nothing is known of what was used
  const all = sandbox.core.store.read('machine').length
  const perDay = choices.integer('per day', 60, 240)
  world.shared['VENDORCTL_DAILY_QUOTA'] = String(perDay)
  const isCounted = choices.chance('counted', 0.7) // mostly by a disk and a clock that nothing happens to
  const faultsIn = (name: string, at: number) => (isCounted && at > 0 ? {} : faultsOf(world, name))
  if (choices.chance('shared', 0.1)) await shareStore(world)
  for (let round = 1; round <= choices.integer('rounds', 2, 4); round++) {
    world.enter(`round ${round}`, choices.of(`trouble ${round}`)() * 0.1)
    const lives = Array.from({length: choices.integer(`lives ${round}`, isFresh ? 4 : 1, 4)}, (_, at) =>
      world.start(read, faultsIn(`${at} of round ${round}`, at), {on: machines[at % machines.length]}),
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
    await between(world, round, isCounted)
    isFresh = world.mayMeet(`ledger ${round}`, 'ledger damaged', 0.08)
    for (const name of isFresh && world.has(ledgers) ? readdirSync(world.machine.path(ledgers)) : [])
      if (name.endsWith('.db')) world.write(`${ledgers}/${name}`, 'damaged')
    if (round === 1 && most === Infinity && choices.chance('nearly a day', 0.3)) await world.pass(23.2 * hour)
  }
  const seen = world.scheduler.now < 24 * hour ? countSeen(world) : 0
  const allowed = perDay - Math.floor(perDay * 0.02) // the rest is for finding out what became of writes
  if (seen > allowed) wrong(`the service saw ${seen} requests, and ${allowed} of ${perDay} a day were for reads`)
}
