import {existsSync, readdirSync, readFileSync} from 'node:fs'
import type {Ping} from './night-monitor.js'
import {jobs, type Night, type Seen, type Shift, type Tally} from './shift-rig.js'

type Path = Shift['path']
/** Exit codes that are reported as a failure: all but success, and that of a run that another one locked out. */
const silent = [0, 13]

/** Compares what the files hold and what the monitor was told with what happened. */
export function judgeShift(shift: Shift, nights: readonly Night[]): Tally {
  const {sandbox, monitor, path, folder} = shift
  const seen = shift.seen().filter(({words}) => words[1] === 'reports')
  const wrong = jobs.flatMap((job) => {
    const runs = seen.filter(({words}) => words.includes(`--since-last=${job}`))
    const pings = monitor.taken.filter((ping) => ping.job === job)
    return [...judgeRecords(job, shift), ...judgePings({runs, pings, nights})].map((text) => `${job}: ${text}`)
  })
  const told = monitor.taken.map(({body}) => body).join('\n')
  if (told.includes(sandbox.apiKey) || told.includes(sandbox.password)) wrong.push('the monitor was told a secret')
  const metrics = readFileSync(path('jobs.prom'), 'utf8')
  for (const job of jobs) {
    const ended = new RegExp(`^vendorctl_last_run_exit_code{name="${job}",[^\n]*} 0$`, 'm')
    if (!ended.test(metrics)) wrong.push(`${job}: the metrics do not say that it succeeded in the end`)
  }
  const left = filesOf(path('out')).filter((name) => name.includes('.part'))
  if (left.length > 0) wrong.push(`left unfinished: ${left.join(' ')}`)
  return {
    killed: seen.filter(({code}) => code === undefined).length,
    deliveries: count(nights.map(({courier}) => courier)),
    exits: count(seen.map(({code = 'killed'}) => String(code))),
    told: count(monitor.taken.map(({kind}) => kind)),
    records: sandbox.store.count('batch'),
    files: filesOf(path('bucket')).length,
    ...{wrong, folder},
  }
}

/** Every record once in the files that were delivered, and every file delivered as it is. */
function judgeRecords(job: string, {path, sandbox}: Shift): string[] {
  const lies = readLies(path)
  const names = (place: string) =>
    filesOf(path(place)).filter((name) => name.startsWith(`${job}-`) && name.endsWith('.ndjson'))
  const undelivered = names('out').filter((name) => !isSame(path('out', name), path('bucket', name)))
  const told = undelivered.filter((name) => lies.has(path('bucket', name)))
  const ids = [
    ...names('bucket').map((name) => path('bucket', name)),
    ...told.map((name) => path('out', name)),
  ].flatMap(idsOf)
  const all = new Set(sandbox.store.read('batch').map(({id}) => String(id)))
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place)
  const missing = [...all].filter((id) => !ids.includes(id))
  return [
    ...undelivered.filter((name) => !told.includes(name)).map((name) => `${name} was not delivered`),
    ...(twice.length > 0 ? [`twice: ${twice.join(' ')}`] : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(' ')}`] : []),
  ]
}

type Told = {runs: readonly Seen[]; pings: readonly Ping[]; nights: readonly Night[]}

/** Each failure told once, and nothing that did not happen. */
function judgePings({runs, pings, nights}: Told): string[] {
  const ends = pings.filter(({kind}) => kind !== 'start')
  const failures = ends.filter(({kind}) => kind === 'failure')
  const failed = runs.filter(({code}) => code === undefined || !silent.includes(code))
  const byRun = Map.groupBy(ends, ({rid}) => rid)
  const wrong: string[] = []
  for (const [rid, of] of byRun)
    if (of.length > 1) wrong.push(`run ${rid} ended ${of.length} times: ${of.map(({kind, code}) => `${kind} ${code}`)}`)
  if (failures.length !== failed.length)
    wrong.push(`${failed.length} runs failed, ${failures.length} were told: ${describe({runs, pings, nights})}`)
  for (const {number, kill, monitor} of nights) {
    const successes = runs.filter((run) => run.night === number && run.code === 0).length
    const told = ends.filter((ping) => ping.night === number && ping.kind === 'success').length
    const isSure = monitor === 'up' && (kill === 'none' || kill === 'overlap')
    if (told > successes || (isSure && told < successes))
      wrong.push(`night ${number} (${kill}, ${monitor}): ${successes} runs succeeded, ${told} were told`)
  }
  for (const {rid, night} of pings.filter(({kind}) => kind === 'start')) {
    const {kill, monitor} = nights[night] ?? {}
    if (!byRun.has(rid) && monitor === 'up' && kill === 'none')
      wrong.push(`night ${night}: run ${rid} began and had no end`)
  }
  return wrong
}

function describe({runs, pings, nights}: Told): string {
  return nights
    .map(({number, kill, monitor, courier}) => {
      const codes = runs.filter((run) => run.night === number).map(({code = 'killed'}) => code)
      const told = pings.filter((ping) => ping.night === number && ping.kind === 'failure').map(({code}) => code)
      return `\n  ${number} ${kill}, ${monitor}, ${courier}: ${codes.join(' ')} | told ${told.join(' ')}`
    })
    .join('')
}

function readLies(path: Path): Set<string> {
  return new Set(existsSync(path('courier.lies')) ? readFileSync(path('courier.lies'), 'utf8').split('\n') : [])
}

function isSame(one: string, other: string): boolean {
  return existsSync(other) && readFileSync(one).equals(readFileSync(other))
}

function idsOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => String((JSON.parse(line) as {id: unknown}).id))
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
}

function count(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, {length}]) => [name, length]))
}
