import {mkdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import type {Asked} from '../service.js'
import type {World} from '../world.js'
import {playNights} from './exports.js'
import type {Round} from './rounds.js'
import {playRound} from './writes.js'

/** What commit 8ce8150e left after a killed write and a failed delivery: its files, what it had sent, and when. */
type OldState = {at: number; id: string; files: Record<string, string>; sent: Pick<Asked, 'method' | 'path' | 'body'>[]}

const raised: Round = {
  ...{operation: 'alerts.create', words: ['alerts', 'create'], header: ['machineId', 'code', 'message']},
  lines: Array.from({length: 9}, (_, index) => ({cells: ['5001', 'CJ', `old ${index}`], key: `old ${index}`})),
}

/** State of an older program is opened by this one: its run goes on, its file is delivered, its mark is where it was. */
export async function playOldState(world: World): Promise<void> {
  const {machine, service} = world
  const packed = readFileSync(new URL('../old-state/state.json.gz', import.meta.url))
  const {at, id, files, sent} = JSON.parse(gunzipSync(packed).toString()) as OldState
  await world.pass(at)
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(machine.disk.root, dirname(path)), {recursive: true, mode: 0o700})
    world.write(path, Buffer.from(bytes, 'base64'), 0o600)
  }
  const {apiKey, ...login} = service.login
  const ask = (asked: Omit<Asked, 'headers'>, more = {}) =>
    service.answer({...asked, headers: {'x-api-key': apiKey, ...more}}, 0)
  const opened = ask({method: 'POST', path: '/v2.1/authenticate', body: JSON.stringify(login)})
  const token = (JSON.parse(opened.body.toString()) as {accessToken: string}).accessToken
  for (const asked of sent) ask(asked, {'access-token': token, 'content-type': 'application/json'})
  service.seen.clear()
  await playRound(world, raised, [], ['runs', 'resume', id, '--resend-after-settle'])
  const carried: unknown[] = []
  world.tools = {carry: (args) => Number(carried.push(args) === 0)}
  await playNights(world, 3, 2, ['--deliver', 'carry {file}'])
  if (carried.length < 2) world.wrong(`${carried.length} files were delivered, and not both`)
}
