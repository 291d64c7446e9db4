import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {gunzipSync, gzipSync} from 'node:zlib'
import {bundle} from '../bundle.js'
import type {Asked} from '../service.js'
import {openWorkshop, openWorld, type World} from '../world.js'
import {addSales, judgeFiles, judgeUnion, nightOf} from './exports.js'
import {filesOf} from './judge-all.js'
import type {Round} from './rounds.js'
import {pickFaults, playRound, type Wrong} from './writes.js'

/** What an older program left: files by their path, what it had sent to the service, and when. */
type OldState = {at: number; id: string; files: Record<string, string>; sent: Pick<Asked, 'method' | 'path' | 'body'>[]}

const raised: Round = {
  ...{operation: 'alerts.create', words: ['alerts', 'create'], header: ['machineId', 'code', 'message']},
  lines: Array.from({length: 9}, (_, index) => ({cells: ['5001', 'CJ', `old ${index}`], key: `old ${index}`})),
}
const text = [raised.header, ...raised.lines.map(({cells}) => cells)].map((row) => `${row.join(',')}\n`).join('')
const deliver = ['--deliver', 'carry {file}']

/** Plays an older program: an export whose delivery fails, and a write that is killed while a set is under way. */
export async function makeOldState(to: URL): Promise<void> {
  const folder = mkdtempSync('/dev/shm/vendorctl-sim-old-')
  try {
    const world = openWorld(openWorkshop(await bundle(), folder), {seed: 1})
    const {service, scheduler} = world
    const sent: OldState['sent'] = []
    const answer = service.answer
    service.answer = (asked, life) => {
      const {method, path, body} = asked
      if (method === 'PUT') sent.push({method, path, body})
      return answer(asked, life)
    }
    await world.run([...nightOf(1), ...deliver])
    world.write('rows.csv', text)
    const life = world.start(['alerts', 'create', '--file', 'rows.csv', '--set-size', '2', '--yes'])
    while (service.commits.length < 6) await scheduler.runUntil(scheduler.wait(0.1))
    life.die('made')
    const files = filesOf(world).filter((path) => !path.endsWith('reserve'))
    const kept = files.map((path) => [path, readFileSync(world.machine.path(path), 'base64')])
    const id = files.flatMap((path) => /([^/]+)\.run$/.exec(path)?.[1] ?? [])[0] ?? ''
    const state: OldState = {at: scheduler.now, id, files: Object.fromEntries(kept), sent}
    writeFileSync(to, gzipSync(JSON.stringify(state), {level: 9}))
    world.close()
  } finally {
    rmSync(folder, {recursive: true})
  }
}

const readOldState = () =>
  JSON.parse(gunzipSync(readFileSync(new URL('../old-state/state.json.gz', import.meta.url))).toString()) as OldState

/** State of an older program is opened by this one: its run goes on, its file is delivered, its mark is where it was. */
export async function playOldState(world: World, wrong: Wrong): Promise<void> {
  const {machine, service, sandbox, choices} = world
  if (!sandbox) return
  const {at, id, files, sent} = readOldState()
  await world.pass(at)
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(machine.disk.root, dirname(path)), {recursive: true, mode: 0o700})
    world.write(path, Buffer.from(bytes, 'base64'), 0o600)
  }
  const {apiKey, ...login} = service.login
  const headers = {'x-api-key': apiKey}
  const ask = (asked: Omit<Asked, 'headers'>, more = {}) =>
    service.answer({...asked, headers: {...headers, ...more}}, 0)
  const opened = ask({method: 'POST', path: '/v2.1/authenticate', body: JSON.stringify(login)})
  const token = (JSON.parse(opened.body.toString()) as {accessToken: string}).accessToken
  for (const asked of sent) ask(asked, {'access-token': token, 'content-type': 'application/json'})
  service.seen.clear()
  const start = ['runs', 'resume', id, '--resend-after-settle']
  await playRound(world, raised, wrong, {start, known: []})
  let carried = 0
  world.tools = {
    carry: () => {
      carried++
      return 0
    },
  }
  const seen = new Map<string, string>()
  addSales(world, sandbox, 2)
  await world.pass(24 * 3_600_000)
  for (let attempt = 0; attempt < 4; attempt++) {
    world.rules.trouble = attempt > 1 ? 0 : choices.of('trouble later')() * 0.3
    const words = [...nightOf(2), ...deliver]
    const {exitCode, stderr} = await world.run(words, attempt > 1 ? {} : pickFaults(world, `later ${attempt}`))
    judgeFiles(world, seen, wrong)
    if (exitCode === 0 || stderr.includes('already exists')) break
    if (attempt === 3) wrong(`exit ${exitCode}: ${stderr.slice(0, 600)}`)
  }
  judgeUnion(sandbox, seen, wrong)
  if (carried < 2) wrong(`${carried} files were delivered, and not both`)
}
