import type {Machine} from '../machine.js'
import type {World} from '../world.js'
import {judgeFiles} from './exports.js'
import {judgeDisk, judgeTold} from './judges.js'
import {codesOf, readTold} from './told.js'
import {faultsOf, notBegun} from './writes.js'

const file = 'report.ndjson'
const rounds = 6
const calmFrom = 3
const apply = ['sites', 'update', '--apply-plan', 'plan.json']
const resume = ['runs', 'resume', 'latest', '--resend-after-settle']
/** Days that are whole in any time zone of the range that is asked for. */
const [from, to] = ['2024-07-03', '2024-07-19']
const read = [
  ...['reports', 'transactions', '--start', '2024-07-01', '--end', '2024-07-20', '--page-size', '5'],
  ...['--output-file', file],
]

/** Two machines with clocks and states of their own share a folder: at the same time both apply one plan and write one file. */
export async function playMachines(world: World): Promise<void> {
  const {choices, sandbox, machine, wrong} = world
  const machines: [Machine, Machine] = [machine, world.join('depot')]
  machines[1].skew = choices.one('skew', [0, 60_000, -3_600_000, 86_400_000])
  const sites = sandbox.core.store.read('site').slice(0, choices.integer('rows', 2, 12))
  const rows = sites.map(({id}) => String(id))
  world.write('rows.csv', `id,shippingAddress\n${rows.map((id) => `${id},shared ${id}\n`).join('')}`)
  await world.run(['sites', 'update', '-f', 'rows.csv', '--set-size', '2', '--dry-run', '--plan-out', 'plan.json'])
  const plan = {operation: 'sites.update', words: apply, header: ['id'], lines: rows.map((key) => ({key, cells: []}))}
  const begun = new Set<Machine>()
  const mustStartOver = new Set<Machine>()
  const seen = new Map<string, string>()
  const addressOf = (id: string) => sandbox.core.store.find('site', Number(id))?.['shippingAddress']
  const isDone = () => rows.every((id) => addressOf(id) === `shared ${id}`)
  for (let round = 0; round < rounds; round++) {
    const isCalm = round >= calmFrom
    world.enter(`round ${round}`, isCalm ? 0 : choices.of(`trouble ${round}`)() * 0.3)
    const lives = machines.map((on) => {
      const faultsIn = (what: string) => (isCalm ? {} : faultsOf(world, `${what} ${round} ${on.host}`))
      const write = world.start([...(begun.has(on) ? resume : apply), '--yes', '--json'], faultsIn('write'), {on})
      const fresh = mustStartOver.has(on) ? ['--fresh', '--overwrite'] : []
      return {on, write, reading: world.start([...read, ...fresh], faultsIn('read'), {on})}
    })
    for (const {on, write, reading} of lives) {
      const ending = await world.end(write)
      const {exitCode, stderr} = await world.end(reading)
      if (stderr.includes('Start over')) mustStartOver.add(on)
      const told = readTold(ending)
      if (exitCode === 0 && !world.has(file)) wrong(`${on.host}: the export ended well without a file`)
      if (codesOf(told).some((code) => notBegun.has(code))) begun.delete(on)
      else if (ending.exitCode === undefined || (told?.runId ?? null) !== null) begun.add(on)
      judgeTold(world, plan, told, {isOwn: () => false, acknowledged: new Map()})
    }
    judgeFiles(world, seen)
    judgeDisk(world)
    if (isCalm && seen.has(file) && isDone()) break
    await world.pass(choices.of(`pause ${round}`)() * 400_000)
  }
  const {token = 0} = world.faults // a write is refused where it ends twice
  const isRefused = 'too large' in world.faults || 'denied' in world.faults || token > 1 // sent again from the rejects
  for (const id of rows)
    if (!isRefused && addressOf(id) !== `shared ${id}`) wrong(`site ${id} was never changed: ${addressOf(id)}`)
  const records = (seen.get(file) ?? '').split('\n').filter(Boolean)
  const found = records.map((record) => (JSON.parse(record) as {id: string}).id)
  const all = sandbox.core.store.read('batch').filter(({recordedAtUtc: at}) => `${at}` > from && `${at}` < to)
  for (const {id} of all) if (found.filter((one) => one === id).length !== 1) wrong(`${id} is not in ${file} once`)
}
