import {readFileSync} from 'node:fs'
import {basename} from 'node:path'
import type {World} from '../world.js'
import {addSales, hour, judgeFiles, judgeUnion} from './exports.js'
import {readTold} from './told.js'
import {between, cutPower, faultsOf} from './writes.js'

const mostTries = 5
const longestNight = 10_000
/** Of a child that waits for answers which never come. */
const longestLife = 2_000_000
const words = ['jobs', 'run', 'sales', 'raise', 'mirror', '--keep-going', '--jobs-file', 'jobs.yaml']
/** How each job says that nothing is left for it to do. */
const ends = [/^sales: done|already exists/m, /^raise: done|(was|were) applied by run/m, /^mirror: done/m]
/** What the programs of the system saw: files that arrived or were changed, and ends of runs that were told. */
type Seen = {carried: string[]; arrived: string[]; changed: Set<string>; rung: {end: string; event: string}[]}

/** Nights of `jobs run`: an export that is delivered, a write and a mirror, and somebody is told of each. */
export async function playJobs(world: World): Promise<void> {
  const {choices, sandbox, wrong} = world
  const machine = String(sandbox.core.store.read('machine')[0]?.['id'])
  const code = String(sandbox.core.store.read('alert_code').find((one) => one['onlyOneExists'] === false)?.['code'])
  const [files, recorded] = [new Map<string, string>(), new Set<string>()]
  const seen = placeTools(world)
  const nights = choices.integer('nights', 1, 2)
  const keep = choices.chance('keep', 0.5) ? 'keep-for: 12h' : ''
  const share = choices.chance('calm', 0.2) ? 0 : choices.of('trouble')() * 0.3
  const countOf = (row: string) => world.service.commits.filter(({key}) => key === row).length
  const isPeaceful = choices.chance('peaceful', 0.2) // nothing is killed
  let [isCalm, isUnharmed, failures] = [false, false, 0]
  world.childFaults = (name) => (isCalm || isUnharmed ? {} : faultsOf(world, name))
  for (let night = 1; night <= nights; night++) {
    if (night < nights) addSales(world, night)
    const rows = Array.from({length: choices.integer(`rows ${night}`, 1, 9)}, (_, row) => `night ${night} row ${row}`)
    const lines = rows.map((row) => `${machine},${code},${row}\n`)
    world.write(`raise-${night}.csv`, `machineId,code,message\n${lines.join('')}`)
    let more = ''
    for (let attempt = 1; attempt <= mostTries; attempt++) {
      world.write('jobs.yaml', describeJobs(night, more, keep), 0o600)
      const step = night * 10 + attempt
      isCalm = attempt > 2
      world.enter(`night ${step}`, isCalm ? 0 : share)
      if (night === nights) world.machine.skew = 0 // a clock that is behind asks for no later records
      const before = seen.carried.length
      if (!isCalm && !isPeaceful && world.mayMeet(`outage ${step}`, 'power cut', 0.2)) {
        const random = choices.of(`outage at ${step}`)
        world.scheduler.after(random() * longestNight, () => cutPower(world, random))
      }
      const isTwice = !isCalm && world.mayMeet(`twice ${step}`, 'two at once', 0.15)
      if (isTwice) world.scheduler.after(choices.of(`second ${step}`)() * 600, () => void world.start(words))
      isUnharmed = isPeaceful || (isTwice && choices.chance(`unharmed ${step}`, 0.5))
      const name = `night-${night}.ndjson`
      const [mine, others] = [files.get(name), `${files.get(name)}\n`]
      const mayChange = !isCalm && mine !== undefined && !seen.carried.includes(name) && world.machine.tools.size === 0
      const isChanged = mayChange && world.mayMeet(`hand ${step}`, 'changed before delivery', 0.8)
      if (isChanged) seen.changed.add(name)
      if (isChanged) world.write(name, others)
      const run = world.start(words, world.childFaults(`night ${step}`))
      const {exitCode, stderr} = await world.end(run)
      const bad = run.childExits.find((code) => code !== 0)
      if (exitCode === 0 && bad !== undefined) wrong(`exit 0, and ${bad} of a job`)
      failures += [...stderr.matchAll(/^(sales|raise): exit (?!13)/gm)].length // one that is locked tells nobody
      await world.pass(isCalm ? longestLife : longestNight) // what outlives its parent ends
      const isOthers = isChanged && world.has(name) && `${readFileSync(world.machine.path(name))}` === others
      if (isOthers) world.write(name, mine)
      const arrived = seen.arrived.splice(0)
      if (isUnharmed && !world.faults['power cut'] && new Set(arrived).size < arrived.length)
        wrong(`delivered by two runs: ${arrived}`)
      judgeFiles(world, files, seen.carried)
      for (const name of seen.carried.slice(before))
        if (recorded.has(name)) wrong(`${name} was delivered after its delivery was recorded`)
      if (/^sales: done/m.test(stderr)) for (const name of files.keys()) recorded.add(name)
      for (const row of rows) if (countOf(row) > 1) wrong(`${row} was applied ${countOf(row)} times`) // not `--fresh`
      if (/^raise: exit (7|12)/m.test(stderr))
        await world.run(['runs', 'resume', 'latest', '--resend-after-settle', '--yes'])
      more = stderr.includes('Start over with --fresh') ? ', fresh: true' : ''
      const isAll = ends.every((end) => end.test(stderr)) || (exitCode === 0 && stderr === '')
      if (isAll && (isCalm || night < nights)) break
      if (isCalm && attempt === mostTries) wrong(`night ${night}: exit ${exitCode}: ${stderr.slice(0, 900)}`)
      await between(world, step, isCalm || isPeaceful)
    }
    for (const row of rows) if (isCalm && countOf(row) === 0) wrong(`${row} was never applied`)
    await world.pass(24 * hour)
  }
  judgeUnion(world, files)
  for (const name of files.keys())
    if (!seen.carried.includes(name) && !seen.changed.has(name)) wrong(`${name} was never delivered`)
  const {data} = readTold(await world.run(['exports', 'show', 'nightly', '--json'])) ?? {}
  for (const {undelivered} of data as {undelivered: string[] | null}[])
    for (const path of undelivered ?? []) if (!seen.changed.has(basename(path))) wrong(`${path} is left`)
  const isSynced = world.faults['power cut'] === undefined // else a note that an end was told may be lost
  for (const [run, told] of Map.groupBy(seen.rung, ({end}) => end))
    if (isSynced && told.length > 1) wrong(`the end of run ${run} was told as ${told.map(({event}) => event)}`)
  const known = new Set(seen.rung.flatMap(({end, event}) => (event.startsWith('failure') ? [end] : []))).size
  if (isPeaceful && known < failures) wrong(`${failures} jobs failed, and somebody was told of ${known}`)
}

/** Programs that deliver and tell: each may fail before or after its work. */
function placeTools(world: World): Seen {
  const {choices, machine, wrong} = world
  const seen: Seen = {carried: [], arrived: [], changed: new Set(), rung: []}
  let calls = 0
  const failing = (work: () => void) => {
    const kind = world.rules.trouble === 0 ? 1 : choices.of(`tool ${++calls}`)()
    if (kind < 0.15) return 1
    work()
    return kind < 0.25 ? 1 : 0
  }
  world.tools = {
    carry([file = '', manifest = '']) {
      const code = failing(() => {
        const [data, told] = [file, manifest].map((path) => readFileSync(machine.disk.real(path)))
        if (JSON.parse(`${told}`).bytes !== data?.length) wrong(`${file} is not as its manifest says`)
        seen.carried.push(basename(file))
      })
      if (code === 0) seen.arrived.push(basename(file))
      return code
    },
    ring(_, input) {
      const {event, name, exit, startedAt} = JSON.parse(input) as Record<string, unknown>
      const isDown = world.rules.trouble > 0 && choices.chance(`nobody hears ${world.stage}`, 0.3)
      const code = failing(() => undefined) || Number(isDown)
      const told = {end: `${name} ${startedAt}`, event: `${event} ${JSON.stringify(exit)}`}
      if (code === 0 && event !== 'start') seen.rung.push(told)
      return code
    },
  }
  return seen
}

const describeJobs = (night: number, more: string, keep: string) => `jobs:
  sales:
    command: reports transactions
    flags: {since-last: nightly, start: 2024-07-01, page-size: 7, output-file: night-${night}.ndjson${more}}
    deliver: [carry, '{file}', '{manifest}']
    ${keep}
    notify: {command: [ring]}
  raise:
    command: alerts create
    flags: {file: raise-${night}.csv, yes: true, set-size: 3}
    notify: {command: [ring]}
  mirror:
    command: sync
    flags: {db: mirror.db}
`
